import Hummingbird
import Logging
import NIOCore
import Testing

/// Serves a router on a free port of this machine while the body runs.
///
/// - Parameters:
///   - router: what answers.
///   - body: is told the port.
/// - Throws: what the body or the server throws.
func withLoopbackServer(
    _ router: Router<BasicRequestContext>,
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    let (ports, port) = AsyncStream<Int>.makeStream()
    let application = Application(
        router: router,
        configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in
            port.yield(channel.localAddress?.port ?? 0)
            port.finish()
        },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await application.run() }
        let running = try #require(await ports.first { $0 > 0 })
        try await body(running)
        group.cancelAll()
    }
}
