import AppleEmulator
import AppleEmulatorServer
import AppleIdentity
import Foundation
import NIOCore
import NIOPosix
import ServerTestSupport
import ServiceLifecycle
import Testing

/// A free port of this machine, for a server whose settings contain its own URL.
func freePort() async throws -> Int {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0).get()
    let port = channel.localAddress?.port ?? 0
    try await channel.close()
    return port
}

/// Runs a server and an emulator on free ports; stops both before it returns.
func withServices(
    seed: Seed,
    _ server: (EmulatorAddresses, AppleEmulator) async throws -> any Service,
    _ body: (EmulatorAddresses) async throws -> Void
) async throws {
    let emulator = try await AppleEmulator(seed: seed)
    try await withEmulatorService(emulator) { addresses in
        let service = try await server(addresses, emulator)
        try await withService(service) { try await body(addresses) }
    }
}
