import Foundation

/// A child process that reads commands line by line and ends when its input ends.
final class ChildProcess: Sendable {
    private let process = Process()
    private let questions: FileHandle
    private let answers: FileHandle

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: the program.
    ///   - arguments: its arguments.
    ///   - environment: variables in addition to this process's environment.
    /// - Throws: the system's error when it can't be started.
    init(
        _ executable: URL,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws {
        let (input, output) = (Pipe(), Pipe())
        questions = input.fileHandleForWriting
        answers = output.fileHandleForReading
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { try? questions.close() }

    /// The system's figures of the process.
    var figures: ProcessFigures { ProcessFigures(of: process.processIdentifier) }

    /// Writes a line to its input.
    func tell(_ line: String) throws {
        try questions.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The next line of its output, without its end.
    ///
    /// - Returns: the line; an empty one when the process has ended.
    func readLine() -> String {
        var line = Data()
        // A line may come in pieces; the end of the process ends it too.
        while line.last != UInt8(ascii: "\n") {
            let piece = answers.availableData
            guard !piece.isEmpty else { break }
            line += piece
        }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends its input, and waits until it has ended itself.
    func end() throws {
        try questions.close()
        process.waitUntilExit()
    }
}
