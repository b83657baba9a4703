import NIOCore
import NIOHTTP1

/// Ends a connection on which a request comes, or an answer goes, slower than anybody honest needs.
///
/// The time counts from the request's head to its end, and from the answer's head until the system has taken its
/// last byte, however often something moves in between.
final class ExchangeDeadline: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limit: TimeAmount
    private var request: Scheduled<Void>?
    private var answer: Scheduled<Void>?

    init(_ limit: TimeAmount) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: request = request ?? closing(context)
        case .end:
            request?.cancel()
            request = nil
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head = part { answer = answer ?? closing(context) }
        guard case .end = part else { return context.write(data, promise: promise) }
        let taken = promise ?? context.eventLoop.makePromise(of: Void.self)
        taken.futureResult.assumeIsolated().whenComplete { _ in
            self.answer?.cancel()
            self.answer = nil
        }
        context.write(data, promise: taken)
    }

    func channelInactive(context: ChannelHandlerContext) {
        request?.cancel()
        answer?.cancel()
        context.fireChannelInactive()
    }

    private func closing(_ context: ChannelHandlerContext) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
            context.close(promise: nil)
        }
    }
}
