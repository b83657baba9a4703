import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// A GET route that responds on the connection's event loop when memory has its document.
struct ImmediateRoute: Sendable {
    let path: String
    /// Returns the document from memory; nil sends the request to the ordinary route.
    let document: @Sendable (Request) -> ByteBuffer?
    let middleware: ServerMiddleware
}

/// Responds for an ``ImmediateRoute`` on the connection's event loop, and forwards other requests.
///
/// A task and the router cost more than a session check from memory. The handler comes after
/// Hummingbird's, which closes idle connections and those of a server that stops.
final class ImmediateAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let routes: [ImmediateRoute]
    private let logger: Logger
    /// A request head without its end; the end follows at once when there is no body.
    private var held: (head: HTTPRequest, route: ImmediateRoute)?
    /// Forwarded requests without a response yet; later responses must not overtake theirs.
    private var unansweredCount = 0

    init(_ routes: [ImmediateRoute], logger: Logger) {
        self.routes = routes
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Requests after the response that closed the connection must not be processed: the client
        // repeats them.
        // https://www.rfc-editor.org/rfc/rfc9112#section-9.6
        guard context.channel.isActive else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let route = route(for: head, context) {
                held = (head, route)
                return
            }
            unansweredCount += 1
        case .end:
            if answerHeld(context) { return }
            forwardHeldHead(context)
        case .body: forwardHeldHead(context)
        }
        context.fireChannelRead(data)
    }

    /// Forwards a head whose end has not arrived: its request has a body.
    func channelReadComplete(context: ChannelHandlerContext) {
        forwardHeldHead(context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        forwardHeldHead(context)
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unansweredCount -= 1 }
        context.write(data, promise: promise)
    }

    /// Returns nil while the client does not read: only the ordinary route applies back pressure.
    private func route(for head: HTTPRequest, _ context: ChannelHandlerContext) -> ImmediateRoute? {
        guard unansweredCount == 0, context.channel.isWritable, head.method == .get,
            head.headerFields[.connection] != "close"
        else { return nil }
        return routes.first { $0.path == head.path }
    }

    private func forwardHeldHead(_ context: ChannelHandlerContext) {
        guard let (head, _) = held else { return }
        held = nil
        unansweredCount += 1
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func answerHeld(_ context: ChannelHandlerContext) -> Bool {
        guard let (head, route) = held else { return false }
        let answer = route.middleware.answerWithoutTask(
            Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            on: context.channel,
            logger,
            route.document
        )
        guard let (response, document) = answer else { return false }
        held = nil
        context.write(wrapOutboundOut(.head(response.head)), promise: nil)
        context.write(wrapOutboundOut(.body(document)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        return true
    }
}

/// Adds the handler after Hummingbird's, which is added after the handlers of a configuration.
final class ImmediateAnswerInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let routes: [ImmediateRoute]
    private let logger: Logger

    init(_ routes: [ImmediateRoute], logger: Logger) {
        self.routes = routes
        self.logger = logger
    }

    func channelActive(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        // Without Hummingbird's handler, every request takes the ordinary route.
        if let state = try? pipeline.handler(type: HTTPConnectionStateHandler.self) {
            let handler = ImmediateAnswerHandler(routes, logger: logger)
            try? pipeline.addHandler(handler, position: .after(state))
        }
        context.fireChannelActive()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
