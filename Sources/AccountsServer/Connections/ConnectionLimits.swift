import AppleIdentity
import Logging
import NIOCore
import NIOHTTPTypes
import SignInWithApple
import Synchronization

/// Limits the connections of one peer, and the bytes of all request bodies that are in memory.
///
/// A body is in memory until its response is written. Trusted proxies, and this machine, stand for
/// many clients: they may have all connections.
final class ConnectionLimits: Sendable {
    private let proxies: TrustedProxies
    private let maximumCount: Int
    private let time: TimeSource
    private let logger: Logger
    private let peers = PeerLog()
    private let counts = Mutex<[ClientNetwork: Int]>([:])
    private let bodyByteCount = Atomic(0)

    init(_ configuration: AccountsServerConfiguration, time: TimeSource, logger: Logger) {
        proxies = configuration.trustedProxies
        maximumCount = max(configuration.maximumConnectionCount / ServerLimits.peerShare, 1)
        self.time = time
        self.logger = logger
    }

    /// Returns a handler for one connection.
    func handler() -> any RemovableChannelHandler { Handler(self) }

    /// The network of a peer whose connections are limited.
    fileprivate func limitedPeer(_ address: SocketAddress?) -> ClientNetwork? {
        guard let address = address?.ipAddress, !proxies.isTrusted(address) else { return nil }
        let network = ClientNetwork(address)
        return network.isThisMachine ? nil : network
    }

    /// Counts a connection; returns false if its peer has too many.
    fileprivate func open(_ peer: ClientNetwork) -> Bool {
        let count = counts.withLock { counts in
            counts[peer, default: 0] += 1
            return counts[peer, default: 0]
        }
        guard count > maximumCount else { return true }
        close(peer)
        if peers.isDue(peer, now: time.now) {
            logger.warning("too many connections", metadata: ["peer": "\(peer.text)"])
        }
        return false
    }

    fileprivate func close(_ peer: ClientNetwork) {
        counts.withLock { counts in
            let count = counts[peer, default: 0] - 1
            counts[peer] = count > 0 ? count : nil
        }
    }

    /// Counts bytes of a body; returns false if they exceed the limit.
    fileprivate func take(_ byteCount: Int) -> Bool {
        let count = bodyByteCount.add(byteCount, ordering: .relaxed).newValue
        guard count > ServerLimits.maximumBodiesByteCount else { return true }
        giveBack(byteCount)
        return false
    }

    fileprivate func giveBack(_ byteCount: Int) {
        bodyByteCount.subtract(byteCount, ordering: .relaxed)
    }
}

private final class Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private var peer: ClientNetwork?
    /// The bytes of the body of each request without a response, in order.
    private var bodyByteCounts: [Int] = []
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
        if let peer = limits.limitedPeer(context.remoteAddress) {
            guard limits.open(peer) else { return context.close(promise: nil) }
            self.peer = peer
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head: bodyByteCounts.append(0)
        // The server discards a body that arrives after the response.
        case .body(let bytes) where !bodyByteCounts.isEmpty:
            guard limits.take(bytes.readableBytes) else {
                isRefused = true
                return context.fireErrorCaught(RefusedSignIn.serverBusy)
            }
            bodyByteCounts[bodyByteCounts.count - 1] += bytes.readableBytes
        case .body, .end: break
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), !bodyByteCounts.isEmpty {
            limits.giveBack(bodyByteCounts.removeFirst())
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
        limits.giveBack(bodyByteCounts.reduce(0, +))
        if let peer { limits.close(peer) }
    }
}
