import AppleIdentity
import Foundation
import Synchronization

/// A program that runs during the tests, with its output in files, and ends with them.
final class Program: Sendable {
    private let process: Process
    private let name: String
    private let outputFile: URL
    private let errorFile: URL

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: the file to run.
    ///   - arguments: its arguments.
    ///   - environment: variables in addition to those of the tests.
    ///   - folder: the folder of its output.
    /// - Throws: ``HarnessError`` or the system's error if it can't be started.
    init(
        _ executable: URL,
        arguments: [String],
        environment: [String: String] = [:],
        folder: URL
    ) throws {
        name = executable.lastPathComponent
        outputFile = folder.appending(path: "\(name)-\(UInt32.random(in: 0 ... .max)).out")
        errorFile = outputFile.deletingPathExtension().appendingPathExtension("err")
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let files = [try Self.create(outputFile), try Self.create(errorFile)]
        process.standardOutput = files[0]
        process.standardError = files[1]
        try process.run()
        // The system's record of a process keeps them open after its end.
        for file in files { try file.close() }
        self.process = process
    }

    struct Run {
        let exitCode: Int32
        let output: String
        let errors: String

        /// The output as one JSON object; empty if it is not one.
        var object: JSONObject { (try? JSONObject(parsing: Data(output.utf8))) ?? [:] }
    }

    /// Runs siwa to its end.
    static func run(
        _ arguments: [String],
        _ folder: URL,
        _ environment: [String: String] = [:]
    ) async throws -> Run {
        let program = try Program(
            Workplace.siwa(),
            arguments: arguments,
            environment: environment,
            folder: folder
        )
        defer { program.end() }
        let exitCode = try await program.finish()
        return Run(exitCode: exitCode, output: program.output, errors: program.errors)
    }

    var processID: Int32 { process.processIdentifier }

    var output: String { Self.text(of: outputFile) }

    var errors: String { Self.text(of: errorFile) }

    /// Waits for something in the output; fails with the last output if the program ends early.
    func waitForOutput<Found>(
        _ goal: String,
        _ find: (String) throws -> Found?
    ) async throws -> Found {
        try await waitUntil("\(name) should print \(goal); it printed:\(lastWords)") {
            if let found = try find(output) { return found }
            guard process.isRunning else {
                throw HarnessError("\(name) ended before it printed \(goal):\(lastWords)")
            }
            return nil
        }
    }

    /// Kills the program, and waits until it has ended.
    func kill() async throws {
        Foundation.kill(processID, SIGKILL)
        try await waitForEnd()
    }

    /// Interrupts the program like Control-C, and waits until it has ended.
    ///
    /// - Returns: the exit code.
    @discardableResult
    func stop() async throws -> Int32 {
        process.interrupt()
        try await waitForEnd()
        return process.terminationStatus
    }

    /// Waits until the program has ended by itself.
    ///
    /// - Returns: the exit code.
    func finish() async throws -> Int32 {
        try await waitForEnd()
        return process.terminationStatus
    }

    /// Kills the program if it still runs.
    func end() {
        if process.isRunning { Foundation.kill(processID, SIGKILL) }
    }

    private func waitForEnd() async throws {
        try await waitUntil("\(name) should end") { process.isRunning ? nil : () }
    }

    private var lastWords: String {
        let text = Self.text(of: outputFile) + Self.text(of: errorFile)
        return text.split(separator: "\n").suffix(20).map { "\n  " + $0 }.joined()
    }

    private static func create(_ file: URL) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw HarnessError("can't write \(file.path)")
        }
        return try FileHandle(forWritingTo: file)
    }

    private static func text(of file: URL) -> String {
        (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
