import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Testing

/// Serves a router on a free port of this machine while the body runs.
///
/// - Parameters:
///   - router: what answers.
///   - server: how it listens.
///   - body: is told the port.
/// - Throws: what the body or the server throws.
package func withLoopbackServer(
    _ router: Router<BasicRequestContext>,
    server: HTTPServerBuilder = .http1(),
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    try await withLoopbackServer(router.buildResponder(), server: server, body)
}

/// Serves on a free port of this machine while the body runs.
///
/// - Parameters:
///   - responder: what answers.
///   - server: how it listens.
///   - body: is told the port.
/// - Throws: what the body or the server throws.
package func withLoopbackServer<Responder: HTTPResponder>(
    _ responder: Responder,
    server: HTTPServerBuilder = .http1(),
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    let (ports, port) = AsyncStream<Int>.makeStream()
    let application = Application(
        responder: responder,
        server: server,
        configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in
            port.yield(channel.localAddress?.port ?? 0)
            port.finish()
        },
        logger: .quiet
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { port.finish() }
            try await application.run()
        }
        let running = try #require(await ports.first { $0 > 0 })
        try await body(running)
        group.cancelAll()
    }
}
