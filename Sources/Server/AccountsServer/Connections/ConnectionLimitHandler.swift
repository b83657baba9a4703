import NIOCore
import NIOHTTPTypes
import SignInWithApple
import Synchronization

/// Counts one connection and its bodies.
final class ConnectionLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private var peer: ClientNetwork?
    /// The client and the body's bytes of each request without a response, in order.
    private var bodies: [(client: ClientNetwork?, byteCount: Int)] = []
    private var isRefused = false

    init(_ limits: ConnectionLimits) { self.limits = limits }

    func channelActive(context: ChannelHandlerContext) {
        // Each connection keeps a buffer of this size, which can grow to 64 KiB by default.
        let allocator = AdaptiveRecvByteBufferAllocator(
            minimum: 64,
            initial: 2048,
            maximum: ServerLimits.maximumReadByteCount
        )
        try? context.channel.syncOptions?.setOption(.recvAllocator, value: allocator)
        if let peer = context.remoteAddress?.ipAddress.flatMap(limits.limited) {
            guard limits.open(peer) else { return context.close(promise: nil) }
            self.peer = peer
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): bodies.append((limits.client(of: head, context.remoteAddress), 0))
        // The server discards a body that arrives after the response.
        case .body(let bytes) where !bodies.isEmpty:
            let last = bodies.count - 1
            let client = bodies[last].client
            guard limits.bodies.withLock({ $0.reserve(bytes.readableBytes, of: client) }) else {
                isRefused = true
                return context.fireErrorCaught(RefusedSignIn.serverBusy)
            }
            bodies[last].byteCount += bytes.readableBytes
        case .body, .end: break
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), !bodies.isEmpty {
            let answered = bodies.removeFirst()
            limits.bodies.withLock { $0.giveBack(answered.byteCount, of: answered.client) }
            if isRefused { closeLater(context) }
        }
        context.write(data, promise: promise)
    }

    /// The client may still send: to close the connection at once could lose the response.
    private func closeLater(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(2)) {
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for body in bodies {
            limits.bodies.withLock { $0.giveBack(body.byteCount, of: body.client) }
        }
        if let peer { limits.connections.withLock { $0.giveBack(1, of: peer) } }
    }
}
