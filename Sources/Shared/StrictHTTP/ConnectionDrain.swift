import NIOCore
import NIOHTTP1

/// Closes the connections of a server that stops, without losing a request on its way.
///
/// A proxy keeps connections open between two requests. If the server closed one while the proxy sends the next
/// request, the proxy could not know whether that request was processed, and must not repeat it. A silent connection
/// therefore stays open for a moment. A response in this time has `Connection: close`.
///
/// Source: [RFC 9112, section 9.6](https://www.rfc-editor.org/rfc/rfc9112#section-9.6)
final class ConnectionDrain: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a silent connection stays open once the server stops.
    static let patience = TimeAmount.seconds(2)

    private var requestCount = 0
    private var isDraining = false
    private var closing: Scheduled<Void>?

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent, !isDraining else {
            return context.fireUserInboundEventTriggered(event)
        }
        isDraining = true
        guard requestCount == 0 else { return context.fireUserInboundEventTriggered(event) }
        closing = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
            context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        context.fireChannelRead(data)
        guard case .head = part else { return }
        requestCount += 1
        guard let closing else { return }
        closing.cancel()
        self.closing = nil
        // Sent after the request's beginning, the event makes the next handlers close after the response.
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where isDraining:
            head.headers.replaceOrAdd(name: "connection", value: "close")
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end: requestCount -= 1
        case .head, .body: break
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        closing?.cancel()
        closing = nil
        context.fireChannelInactive()
    }
}
