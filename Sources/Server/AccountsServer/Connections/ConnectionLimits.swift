import AppleIdentity
import HTTPTypes
import Logging
import NIOCore
import NIOHTTPTypes
import SignInWithApple
import Synchronization

/// Limits the connections of one peer, and the bytes of all request bodies that are in memory.
///
/// A body is in memory until its response is written. One client may have an eighth of these bytes.
/// Trusted proxies, and this machine, stand for many clients: they may have all.
final class ConnectionLimits: Sendable {
    private let proxies: TrustedProxies
    private let time: TimeSource
    private let logger: Logger
    private let peers = PeerLog()
    fileprivate let connections: Mutex<Shares>
    fileprivate let bodies = Mutex(Shares(maximum: ServerLimits.maximumBodiesByteCount))

    init(_ configuration: AccountsServerConfiguration, time: TimeSource, logger: Logger) {
        proxies = configuration.trustedProxies
        connections = Mutex(Shares(maximum: configuration.maximumConnectionCount))
        self.time = time
        self.logger = logger
    }

    /// Returns a handler for one connection.
    func handler() -> any RemovableChannelHandler { Handler(self) }

    /// The network whose connections and bodies are limited; nil for a trusted proxy and this machine.
    fileprivate func limited(_ address: String) -> ClientNetwork? {
        let network = ClientNetwork(address)
        return network.isThisMachine || proxies.isTrusted(address) ? nil : network
    }

    /// The client of a request, as far as the peer may name it.
    fileprivate func client(of request: HTTPRequest, _ peer: SocketAddress?) -> ClientNetwork? {
        limited(RequestClient(peer, request.headerFields, proxies).address)
    }

    /// Counts a connection; returns false if its peer has too many.
    fileprivate func open(_ peer: ClientNetwork) -> Bool {
        let isOpen = connections.withLock { $0.reserve(1, of: peer) }
        if !isOpen, peers.isDue(peer, now: time.now) {
            logger.warning("too many connections", metadata: ["peer": "\(peer.text)"])
        }
        return isOpen
    }
}

/// How much of a limited amount all clients have, and how much each of them has.
private struct Shares {
    let maximum: Int
    private var count = 0
    private var counts: [ClientNetwork: Int] = [:]

    init(maximum: Int) { self.maximum = maximum }

    /// Takes a part; returns false if too little is left, or too little of one client's share.
    mutating func reserve(_ count: Int, of client: ClientNetwork?) -> Bool {
        let own = client.map { counts[$0, default: 0] + count } ?? 0
        guard self.count + count <= maximum, own <= max(maximum / ServerLimits.peerShare, 1) else {
            return false
        }
        self.count += count
        if let client { counts[client] = own }
        return true
    }

    mutating func giveBack(_ count: Int, of client: ClientNetwork?) {
        self.count -= count
        guard let client else { return }
        let rest = counts[client, default: 0] - count
        counts[client] = rest > 0 ? rest : nil
    }
}

private final class Handler: ChannelDuplexHandler, RemovableChannelHandler {
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
