import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerTestSupport
import Testing

/// A developer's server on its own port, which stores the notifications that it receives.
final class NotificationReceiver: Sendable {
    struct Received: Sendable {
        let head: HTTPRequest
        let body: Data
    }

    /// What the server does with a request.
    typealias Answer = @Sendable (Request, ReceiverContext) async throws -> Response

    let port: Int
    private let log: LockedValue<[Received]>

    private init(port: Int, log: LockedValue<[Received]>) {
        self.port = port
        self.log = log
    }

    var received: [Received] { log.withLock(\.self) }

    var url: String { "http://localhost:\(port)/apple/notifications" }

    /// Runs the body beside a server that answers in this way.
    static func running(
        answering answer: @escaping Answer,
        _ body: @escaping @Sendable (NotificationReceiver) async throws -> Void
    ) async throws {
        let log = LockedValue<[Received]>([])
        let responder = CallbackResponder { (request: Request, context: ReceiverContext) in
            let body = Data(try await request.body.collect(upTo: 64 * 1024).readableBytesView)
            log.withLock { $0.append(Received(head: request.head, body: body)) }
            return try await answer(request, context)
        }
        try await withLoopbackServer(responder) { port in
            try await body(NotificationReceiver(port: port, log: log))
        }
    }
}

/// A request's connection, which a receiver can close.
struct ReceiverContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
