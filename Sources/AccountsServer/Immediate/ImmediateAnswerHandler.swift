import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// Answers on the connection's event loop what ``ImmediateAnswers`` can, and hands everything else on unchanged.
///
/// It stands behind Hummingbird's handler of the connection's state, so that idle connections and those of a server that
/// stops are treated as ever. It holds a request's head until its end, which follows at once when there is no body.
final class ImmediateAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let answers: ImmediateAnswers
    private let logger: Logger
    private var held: HTTPRequest?
    /// Requests handed on whose answers have not come back: an answer must not overtake theirs.
    private var unansweredCount = 0

    init(_ answers: ImmediateAnswers, logger: Logger) {
        self.answers = answers
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        // To a client that does not take its answers, none is added that nothing would hold back.
        case .head(let head)
        where unansweredCount == 0 && context.channel.isWritable && answers.mayAnswer(head):
            held = head
        case .head:
            unansweredCount += 1
            context.fireChannelRead(data)
        case .body:
            handOn(context)
            context.fireChannelRead(data)
        case .end:
            if answerHeld(context) { return }
            handOn(context)
            context.fireChannelRead(data)
        }
    }

    /// A head whose end has not come by then belongs to a request with a body.
    func channelReadComplete(context: ChannelHandlerContext) {
        handOn(context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        handOn(context)
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unansweredCount -= 1 }
        context.write(data, promise: promise)
    }

    private func handOn(_ context: ChannelHandlerContext) {
        guard let head = held else { return }
        held = nil
        unansweredCount += 1
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func answerHeld(_ context: ChannelHandlerContext) -> Bool {
        guard let head = held,
            let (response, document) = answers.answer(head, on: context.channel, logger: logger)
        else { return false }
        held = nil
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.write(wrapOutboundOut(.body(document)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        return true
    }
}

/// Puts the handler behind Hummingbird's, which is added after those of a configuration.
final class ImmediateAnswerInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let answers: ImmediateAnswers
    private let logger: Logger

    init(_ answers: ImmediateAnswers, logger: Logger) {
        self.answers = answers
        self.logger = logger
    }

    func channelActive(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        // Without Hummingbird's handler everything goes the usual way.
        if let state = try? pipeline.handler(type: HTTPConnectionStateHandler.self) {
            let handler = ImmediateAnswerHandler(answers, logger: logger)
            try? pipeline.addHandler(handler, position: .after(state))
        }
        context.fireChannelActive()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
