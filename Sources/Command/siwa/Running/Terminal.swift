import AppleIdentity
import Foundation

/// The output of all commands: results go to standard output, everything else to standard error.
struct Terminal: Sendable {
    func write(_ line: String, terminator: String = "\n") {
        Self.write(line + terminator, to: .standardOutput)
    }

    /// Writes a text; if nobody reads it, the command goes on and cleans up.
    private static func write(_ text: String, to handle: FileHandle) {
        try? handle.write(contentsOf: Data(text.utf8))
    }

    /// Writes a line of JSON; on a terminal, a long one is indented.
    func write(json object: JSONObject) {
        let line = TerminalText.json(object)
        let isLong = line.count > TerminalText.columnCount
        write(
            isLong && outputColumnCount != nil ? TerminalText.indentedJSON(.object(object)) : line
        )
    }

    /// Writes a line of JSON for each object.
    func write(lines objects: [JSONObject]) {
        for object in objects { write(TerminalText.json(object)) }
    }

    /// Writes a line that is broken between words if standard output is a terminal.
    func write(_ text: String, after start: String) {
        guard let outputColumnCount else { return write(start + text) }
        for line in TerminalText.wrapped(text, after: start, to: outputColumnCount) { write(line) }
    }

    /// Writes a table; only on a terminal do columns that do not fit continue on the next line.
    func write(table header: [String], _ rows: [[String]]) {
        for line in TerminalText.table(header, rows, to: outputColumnCount) { write(line) }
    }

    func writeError(table header: [String], _ rows: [[String]]) {
        let columnCount = Self.columnCount(of: STDERR_FILENO)
        for line in TerminalText.table(header, rows, to: columnCount) { writeError(line) }
    }

    private var outputColumnCount: Int? { Self.columnCount(of: STDOUT_FILENO) }

    /// The columns of the terminal behind a file descriptor; nil for a file or a pipe.
    private static func columnCount(of descriptor: Int32) -> Int? {
        var size = winsize()
        let isTerminal = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return isTerminal && size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    func writeError(_ line: String) { Self.write(line + "\n", to: .standardError) }

    /// Whether standard error is a terminal.
    var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    var canAsk: Bool { isTerminal && isatty(STDIN_FILENO) == 1 }

    /// Asks a question; every response but yes is a no.
    func asks(_ question: String) -> Bool {
        Self.write(question + " [y/N] ", to: .standardError)
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    /// Writes progress to a terminal, in a line that the next call replaces.
    func writeProgress(_ line: String) {
        guard isTerminal else { return }
        Self.write("\r\u{1B}[K\(line)", to: .standardError)
    }

    func report(_ failure: CommandFailure) {
        writeError("siwa: " + failure.message)
        if let hint = failure.hint { writeError("hint: " + hint) }
    }
}
