import Foundation

/// The only way a command writes: results to standard output, everything else to standard error.
struct Console: Sendable {
    func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    func writeError(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    /// Whether a person reads what is written to standard error.
    var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    var canAsk: Bool { isTerminal && isatty(STDIN_FILENO) == 1 }

    /// Asks a person for a yes; anything else is a no.
    func asks(_ question: String) -> Bool {
        FileHandle.standardError.write(Data((question + " [y/N] ").utf8))
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    /// Tells a person how far something is, in one line that the next call replaces.
    func writeProgress(_ line: String) {
        guard isTerminal else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
    }

    func report(_ failure: CommandFailure) {
        writeError("siwa: " + failure.message)
        if let hint = failure.hint { writeError("hint: " + hint) }
    }
}
