import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs servers until the process is told to stop.
enum Program {
    /// How long requests under way may take to end after the program was told to stop.
    ///
    /// As long as one exchange with Apple may take, so that no code is spent for nothing.
    private static let graceDuration = Duration.seconds(10)

    static func run(_ services: [any Service], ports: [Int]) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: ProgramLogger.make("siwa")
        )
        configuration.maximumGracefulShutdownDuration = graceDuration
        let group = ServiceGroup(configuration: configuration)
        do {
            try await group.run()
        } catch {
            throw explain(error, ports: ports)
        }
    }

    private static func explain(_ error: any Error, ports: [Int]) -> any Error {
        guard "\(error)".contains("Address already in use") else { return error }
        let names = ports.map(String.init).joined(separator: ", ")
        return CommandFailure(
            "one of the ports \(names) is already in use",
            hint: "stop the program that uses it, or give other ports; 0 picks a free one"
        )
    }
}

/// Loggers of the program: to standard error, so that standard output stays for results.
enum ProgramLogger {
    static func make(_ label: String) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .notice
        return logger
    }
}

/// Why a command ends without success: one lower-case line, and a hint for the next.
struct CommandFailure: Error {
    let message: String
    let hint: String?
    let exitCode: Int32

    init(_ message: String, hint: String? = nil, exitCode: Int32 = 1) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
    }

    /// A failure that better arguments fix.
    static func usage(_ message: String, hint: String? = nil) -> CommandFailure {
        CommandFailure(message, hint: hint, exitCode: 2)
    }
}

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
