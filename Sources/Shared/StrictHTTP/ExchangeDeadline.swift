import NIOCore
import NIOHTTP1

/// Closes a connection whose request arrives, or whose response is received, too slowly.
///
/// The time counts from the request's head to its end, and from the response's head until the system has taken its
/// last byte, even if bytes arrive in between. One timer serves both: a timer for each request would cost more
/// than the rest of this.
final class ExchangeDeadline: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limit: TimeAmount
    private var requestEnd: NIODeadline?
    private var answerEnd: NIODeadline?
    /// Responses with bytes that are not taken yet: a client may send requests ahead.
    private var untakenCount = 0
    private var timer: Scheduled<Void>?

    init(_ limit: TimeAmount) { self.limit = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: requestEnd = requestEnd ?? end(context)
        case .end: requestEnd = nil
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        // An informational head, such as 100, comes before that of the response.
        if case .head(let head) = part, head.status.code >= 200 {
            untakenCount += 1
            answerEnd = answerEnd ?? end(context)
        }
        guard case .end = part else { return context.write(data, promise: promise) }
        let taken = promise ?? context.eventLoop.makePromise(of: Void.self)
        taken.futureResult.assumeIsolated().whenComplete { _ in self.answerTaken(context) }
        context.write(data, promise: taken)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    /// The time of the next response begins when the previous one is taken.
    private func answerTaken(_ context: ChannelHandlerContext) {
        untakenCount -= 1
        answerEnd = untakenCount > 0 && context.channel.isActive ? end(context) : nil
    }

    private func end(_ context: ChannelHandlerContext) -> NIODeadline {
        let end = context.eventLoop.now + limit
        if timer == nil { watch(until: end, context) }
        return end
    }

    private func watch(until end: NIODeadline, _ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) {
            self.look(context)
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        timer = nil
        guard let end = [requestEnd, answerEnd].compactMap(\.self).min() else { return }
        guard end <= context.eventLoop.now else { return watch(until: end, context) }
        context.close(promise: nil)
    }
}
