import Foundation
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
            "a port is already in use (wanted: \(names))",
            hint: "stop the program that has it, or name others, 0 for any free one"
        )
    }
}
