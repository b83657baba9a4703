import Foundation

/// What the benchmarks tell, at once; when nobody reads any more, as behind `head`, they end.
enum Output {
    static func line(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
        } catch {
            exit(EXIT_SUCCESS)
        }
    }

    /// Makes writing to a closed pipe an error instead of the end by a signal.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
    }
}
