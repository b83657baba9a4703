import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// The GET route that responds on the connection's event loop when memory has its document.
struct ImmediateRoute: Sendable {
    let path: String
    /// Returns the document from memory; nil sends the request to the ordinary route.
    let document: @Sendable (Request) -> ByteBuffer?
    let middleware: ServerMiddleware
}

/// Responds for the ``ImmediateRoute`` on the connection's event loop, and forwards other requests.
///
/// A task and the router cost more than a session check from memory. The handler comes after
/// Hummingbird's, which closes idle connections and those of a server that stops.
final class ImmediateAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let route: ImmediateRoute
    private let logger: Logger
    /// The response to the request whose end comes next: it has no body.
    private var answer: (response: Response, document: ByteBuffer)?
    /// Forwarded requests without a response yet; later responses must not overtake theirs.
    private var unansweredCount = 0

    init(_ route: ImmediateRoute, logger: Logger) {
        self.route = route
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Requests after the response that closed the connection must not be processed: the client
        // repeats them.
        // https://www.rfc-editor.org/rfc/rfc9112#section-9.6
        guard context.channel.isActive else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            answer = answer(to: head, context)
            if answer != nil { return }
            unansweredCount += 1
        case .end:
            if let answer { return write(answer, context) }
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unansweredCount -= 1 }
        context.write(data, promise: promise)
    }

    /// Returns nil while the client does not read: only the ordinary route applies back pressure.
    private func answer(
        to head: HTTPRequest,
        _ context: ChannelHandlerContext
    ) -> (Response, ByteBuffer)? {
        let fields = head.headerFields
        guard unansweredCount == 0, context.channel.isWritable,
            head.method == .get, head.path == route.path, fields[.connection] != "close",
            // Only a request with one of them has a body.
            // https://www.rfc-editor.org/rfc/rfc9112#section-6.3
            fields[.contentLength] == nil, fields[.transferEncoding] == nil
        else { return nil }
        return route.middleware.answerWithoutTask(
            Request(head: head),
            on: context.channel,
            logger,
            route.document
        )
    }

    private func write(
        _ answer: (response: Response, document: ByteBuffer),
        _ context: ChannelHandlerContext
    ) {
        self.answer = nil
        context.write(wrapOutboundOut(.head(answer.response.head)), promise: nil)
        context.write(wrapOutboundOut(.body(answer.document)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

/// Adds the handler after Hummingbird's, which is added after the handlers of a configuration.
final class ImmediateAnswerInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let route: ImmediateRoute
    private let logger: Logger

    init(_ route: ImmediateRoute, logger: Logger) {
        self.route = route
        self.logger = logger
    }

    func channelActive(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        // Without Hummingbird's handler, every request takes the ordinary route.
        if let state = try? pipeline.handler(type: HTTPConnectionStateHandler.self) {
            let handler = ImmediateAnswerHandler(route, logger: logger)
            try? pipeline.addHandler(handler, position: .after(state))
        }
        context.fireChannelActive()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
