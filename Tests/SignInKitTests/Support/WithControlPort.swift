import AppleEmulator
import AppleEmulatorServer
import Foundation
import Logging
import ServiceLifecycle
import Testing

/// Runs a body with the control port of an emulator.
func withControlPort<Value: Sendable>(
    of emulator: AppleEmulator,
    _ body: @Sendable (URL) async throws -> Value
) async throws -> Value {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let (stream, continuation) = AsyncStream.makeStream(of: EmulatorAddresses.self)
    let service = AppleEmulatorService(
        emulator: emulator,
        configuration: .init(port: 0, controlPort: 0),
        logger: logger,
        onReady: { continuation.yield($0) }
    )
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [service], logger: logger)
    )
    let running = Task {
        defer { continuation.finish() }
        try await group.run()
    }
    let addresses = try #require(await stream.first { @Sendable _ in true })
    let result: Result<Value, any Error>
    do {
        result = .success(try await body(addresses.control))
    } catch {
        result = .failure(error)
    }
    await group.triggerGracefulShutdown()
    try await running.value
    return try result.get()
}
