import Foundation

/// The only way a command writes: results to standard output, everything else to standard error.
struct Console: Sendable {
    /// Writes a line of result.
    func write(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Writes a line about what is going on.
    func writeError(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Writes a failure as one line and its hint as another.
    func report(_ failure: CommandFailure) {
        writeError("siwa: " + failure.message)
        if let hint = failure.hint {
            writeError("hint: " + hint)
        }
    }
}
