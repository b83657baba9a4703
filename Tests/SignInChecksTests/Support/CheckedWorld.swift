import AppleEmulator
import AppleEmulatorServer
import AppleIdentity
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

/// A free port of this machine, for a server whose own address stands in its settings.
func freePort() async throws -> Int {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0).get()
    let port = channel.localAddress?.port ?? 0
    try await channel.close()
    return port
}

/// Runs a server against an emulator on free ports; both have ended when this returns.
func withServices(
    seed: Seed,
    _ server: (EmulatorAddresses, AppleEmulator) async throws -> any Service,
    _ body: (EmulatorAddresses) async throws -> Void
) async throws {
    let (ready, readiness) = AsyncStream.makeStream(of: EmulatorAddresses.self)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let emulator = try await AppleEmulator(seed: seed)
    let apple = AppleEmulatorService(
        emulator: emulator,
        configuration: AppleEmulatorServiceConfiguration(port: 0, controlPort: 0),
        logger: logger,
        onReady: { readiness.yield($0) }
    )
    try await running(apple, logger) {
        let addresses = try #require(await ready.first { _ in true })
        let service = try await server(addresses, emulator)
        try await running(service, logger) { try await body(addresses) }
    }
}

private func running(
    _ service: any Service,
    _ logger: Logger,
    _ body: () async throws -> Void
) async throws {
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [service], logger: logger)
    )
    async let end: Void = group.run()
    do {
        try await body()
    } catch {
        await group.triggerGracefulShutdown()
        throw error
    }
    await group.triggerGracefulShutdown()
    try await end
}
