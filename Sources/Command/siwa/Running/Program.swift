import AccountsServer
import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import PrometheusMetrics
import ServiceLifecycle
import UnixSignals

/// Runs servers until the process gets a signal to stop.
enum Program {
    /// How long pending requests may take after the signal.
    ///
    /// An exchange with Apple may take as long, and its code is lost if it is interrupted.
    private static let graceDuration = Duration.seconds(10)

    static func run(
        _ services: [any Service],
        ports: [Int],
        logger: Logger = ProgramLogger.make("siwa")
    ) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = graceDuration
        let group = ServiceGroup(configuration: configuration)
        do {
            try await group.run()
        } catch {
            throw explain(error, ports: ports)
        }
    }

    /// Runs a service while a body works with the value that the service reports when it is ready.
    ///
    /// Returns nil if the service stopped before it was ready. An error of the body does not cancel the service.
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
        // The body has finished, so an error of the service no longer matters.
        try? await end
        return try answer.get()
    }

    /// Runs a body, and cancels it at the first signal to stop, so that it can clean up.
    static func untilSignal<Answer: Sendable>(
        _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let task = Task { try await body() }
        let signals = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
                task.cancel()
            }
        }
        defer { signals.cancel() }
        return try await task.value
    }

    private static func explain(_ error: any Error, ports: [Int]) -> any Error {
        guard "\(error)".contains("Address already in use") else { return error }
        let names = ports.map(String.init).joined(separator: ", ")
        return CommandFailure(
            "one of the ports \(names) is already in use",
            hint: "stop the program that uses it, or give other ports (0 picks a free one)"
        )
    }
}

/// The program's metrics, which Prometheus scrapes from the accounts server.
enum ProgramMetrics {
    /// Installs the metrics for the process, which runs at most one accounts server.
    static func bootstrap() -> ServerMetrics {
        let metrics = PrometheusMetrics(descriptions: MetricsCatalogue.descriptions)
        MetricsSystem.bootstrap(metrics)
        return .prometheus(metrics)
    }
}
