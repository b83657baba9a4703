import Accounts
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// Answers on the connection's event loop what ``ImmediateAnswers`` can, and hands everything else on unchanged.
///
/// It stands behind Hummingbird's handler of the connection's state, so that idle connections and those of a server that
/// stops are treated as ever. It holds a request's head until its end, which follows at once when there is no body.
///
/// While the store is asked for a request, whatever comes behind it waits here, and nothing more is read. What waits is
/// little: what came with that request, and what one more reading brought.
final class ImmediateAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// What came behind a request for which the store is asked.
    private enum Arrival {
        case part(HTTPRequestPart)
        case error(any Error)
        case event(Any)
    }

    private let answers: ImmediateAnswers
    private let logger: Logger
    private var held: HTTPRequest?
    /// Requests handed on whose answers have not come back: an answer must not overtake theirs.
    private var unansweredCount = 0
    private var context: ChannelHandlerContext?
    private var receiver: ConnectionReceiver?
    /// The request for which the store is asked.
    private var awaited: ImmediateAnswers.Awaited?
    /// Whether the store is just being asked.
    private var isAsking = false
    /// What it has answered at once.
    private var earlyAnswer: SessionAnswer?
    private var behind = CircularBuffer<Arrival>(initialCapacity: 0)
    private var isReadHeld = false

    init(_ answers: ImmediateAnswers, logger: Logger) {
        self.answers = answers
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        receiver = ConnectionReceiver(
            handler: NIOLoopBound(self, eventLoop: context.eventLoop),
            inbox: answers.inboxes.inbox(of: context.eventLoop)
        )
    }

    /// An answer that comes after the connection's end is for nobody.
    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        receiver = nil
        awaited = nil
        behind.removeAll()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // An answer closed the connection, and the parser goes on with what came along. Nothing behind the last answer may
        // be carried out, because its client repeats it elsewhere (https://www.rfc-editor.org/rfc/rfc9112#section-9.6).
        guard context.channel.isActive else { return }
        let part = unwrapInboundIn(data)
        guard awaited == nil else { return behind.append(.part(part)) }
        read(part, context)
    }

    /// A head whose end has not come by then belongs to a request with a body.
    func channelReadComplete(context: ChannelHandlerContext) {
        guard awaited == nil else { return }
        forwardHeldHead(context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard awaited == nil else { return behind.append(.error(error)) }
        forwardHeldHead(context)
        context.fireErrorCaught(error)
    }

    /// The end of what a client sends has its place behind its requests.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard awaited == nil else { return behind.append(.event(event)) }
        context.fireUserInboundEventTriggered(event)
    }

    /// To end and begin again the reading for each request would cost two calls of the system.
    func read(context: ChannelHandlerContext) {
        guard behind.isEmpty else {
            isReadHeld = true
            return
        }
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unansweredCount -= 1 }
        context.write(data, promise: promise)
    }

    /// Takes an answer that the store gives while it is asked, on this event loop.
    ///
    /// - Returns: false for one that comes later.
    func receiveSynchronously(_ answer: @escaping SessionAnswer) -> Bool {
        guard isAsking else { return false }
        earlyAnswer = answer
        return true
    }

    /// Takes the store's answer for the request that waits for it.
    func take(_ answer: SessionAnswer) {
        guard let context, let awaited, context.channel.isActive else { return }
        self.awaited = nil
        write(answers.finish(awaited, answer, on: context.channel, logger: logger), context)
        processPending(context)
    }
}

extension ImmediateAnswerHandler {
    private func read(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        // To a client that does not take its answers, none is added that nothing would hold back.
        case .head(let head)
        where unansweredCount == 0 && context.channel.isWritable && answers.mayAnswer(head):
            held = head
        case .head:
            unansweredCount += 1
            context.fireChannelRead(wrapInboundOut(part))
        case .body:
            forwardHeldHead(context)
            context.fireChannelRead(wrapInboundOut(part))
        case .end:
            if answerHeld(context) { return }
            forwardHeldHead(context)
            context.fireChannelRead(wrapInboundOut(part))
        }
    }

    private func forwardHeldHead(_ context: ChannelHandlerContext) {
        guard let head = held else { return }
        held = nil
        unansweredCount += 1
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Whether the request is answered, or will be.
    private func answerHeld(_ context: ChannelHandlerContext) -> Bool {
        guard let head = held, let receiver else { return false }
        isAsking = true
        let beginning = answers.begin(head, receiver, on: context.channel, logger: logger)
        isAsking = false
        let early = exchange(&earlyAnswer, with: nil)
        switch beginning {
        case .impossible: return false
        case .awaited(let awaited):
            held = nil
            if let early {
                let answer = answers.finish(awaited, early, on: context.channel, logger: logger)
                write(answer, context)
            } else {
                self.awaited = awaited
            }
        case .answered(let answer):
            held = nil
            write(answer, context)
        }
        return true
    }

    private func write(_ answer: ImmediateAnswers.Answer, _ context: ChannelHandlerContext) {
        let (response, document) = answer
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.write(wrapOutboundOut(.body(document)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Treats what waited behind a request as if it came now, until the store is asked again.
    private func processPending(_ context: ChannelHandlerContext) {
        while awaited == nil, context.channel.isActive, let next = behind.popFirst() {
            switch next {
            case .part(let part): read(part, context)
            case .error(let error): errorCaught(context: context, error: error)
            case .event(let event): userInboundEventTriggered(context: context, event: event)
            }
        }
        channelReadComplete(context: context)
        guard isReadHeld, behind.isEmpty else { return }
        isReadHeld = false
        context.read()
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
