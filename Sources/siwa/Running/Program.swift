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
            "one of the ports \(names) is already in use",
            hint: "stop the program that uses it, or give other ports; 0 picks a free one"
        )
    }
}
