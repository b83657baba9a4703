import AppleEmulator
import AppleEmulatorServer
import AppleIdentity
import Foundation
import Logging
import ServiceLifecycle
import Testing

extension Logger {
    /// A log that nobody reads.
    package static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Runs the ports of an emulated Apple while the body works; they are closed when this returns.
///
/// - Parameters:
///   - emulator: the emulated Apple.
///   - configuration: which ports; two free ones when left out.
///   - tls: the port for TLS.
///   - time: the clock of what the service does by itself.
///   - isolation: where the caller runs.
///   - body: is told where the ports are.
/// - Returns: what the body returns.
/// - Throws: what the body and the service throw.
package func withEmulatorService<Answer>(
    _ emulator: AppleEmulator,
    _ configuration: AppleEmulatorServiceConfiguration = .init(port: 0, controlPort: 0),
    tls: TLSListener? = nil,
    time: TimeSource = .live,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (EmulatorAddresses) async throws -> Answer
) async throws -> Answer {
    let (ready, readiness) = AsyncStream.makeStream(of: EmulatorAddresses.self)
    let service = AppleEmulatorService(
        emulator: emulator,
        configuration: configuration,
        tls: tls,
        time: time,
        logger: .quiet,
        onReady: { readiness.yield($0) }
    )
    return try await withService(service, onEnd: { readiness.finish() }) {
        let addresses = try #require(await ready.first { @Sendable _ in true })
        return try await body(addresses)
    }
}

/// Runs a service while the body works; it has ended gracefully when this returns.
///
/// - Parameters:
///   - service: the service.
///   - isolation: where the caller runs.
///   - onEnd: is called as soon as the service ends, by itself too.
///   - body: works beside it.
/// - Returns: what the body returns.
/// - Throws: what the service throws, else what the body throws.
package func withService<Answer>(
    _ service: any Service,
    isolation: isolated (any Actor)? = #isolation,
    onEnd: @escaping @Sendable () -> Void = {},
    _ body: () async throws -> Answer
) async throws -> Answer {
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [service], logger: .quiet)
    )
    let running = Task {
        defer { onEnd() }
        try await group.run()
    }
    let result: Result<Answer, any Error>
    do {
        result = .success(try await body())
    } catch {
        result = .failure(error)
    }
    await group.triggerGracefulShutdown()
    try await running.value
    return try result.get()
}
