import AccountsServer
import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import PrometheusMetrics
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

    /// Runs a service while a body works with what the service tells when it is ready.
    ///
    /// It is nil when the service ended before. A refusal of the body must not cancel the service under its answer.
    static func run<Ready: Sendable, Answer: Sendable>(
        logger: Logger,
        grace: Duration? = nil,
        _ service: (@escaping @Sendable (Ready) -> Void) throws -> any Service,
        during body: (Ready) async throws -> Answer
    ) async throws -> Answer? {
        let (ready, signal) = AsyncStream.makeStream(of: Ready.self)
        var configuration = ServiceGroupConfiguration(
            services: [try service { signal.yield($0) }],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: configuration)
        async let end: Void = {
            defer { signal.finish() }
            try await group.run()
        }()
        guard let value = await ready.first(where: { _ in true }) else {
            try await end
            return nil
        }
        let answer = await Result.awaiting { try await body(value) }
        await group.triggerGracefulShutdown()
        // The body is done, however the service ends.
        try? await end
        return try answer.get()
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

/// The program's metrics, which a Prometheus server reads from the accounts server.
enum ProgramMetrics {
    /// Makes them the ones of the whole process; a process has one accounts server.
    static func bootstrap() -> ServerMetrics {
        let metrics = PrometheusMetrics(descriptions: MetricsCatalogue.descriptions)
        MetricsSystem.bootstrap(metrics)
        return .prometheus(metrics)
    }
}
