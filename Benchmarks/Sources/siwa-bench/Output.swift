import Foundation

/// Prints the benchmarks' output unbuffered; they end when the reader does, such as `head`.
enum Output {
    static func line(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
        } catch {
            exit(EXIT_SUCCESS)
        }
    }

    /// Prints an error.
    static func error(_ text: String) {
        FileHandle.standardError.write(Data("siwa-bench: \(text)\n".utf8))
    }

    /// Makes writing to a closed pipe an error instead of the end by a signal.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
    }
}
