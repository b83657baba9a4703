import AppleIdentity
import HTTPTypes
import Logging
import NIOCore
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
    let connections: Mutex<Shares>
    let bodies = Mutex(Shares(maximum: ServerLimits.maximumBodiesByteCount))

    init(_ configuration: AccountsServerConfiguration, time: TimeSource, logger: Logger) {
        proxies = configuration.trustedProxies
        connections = Mutex(Shares(maximum: configuration.maximumConnectionCount))
        self.time = time
        self.logger = logger
    }

    /// Returns a handler for one connection.
    func handler() -> any RemovableChannelHandler { ConnectionLimitHandler(self) }

    /// The network whose connections and bodies are limited; nil for a trusted proxy and this machine.
    func limited(_ address: String) -> ClientNetwork? {
        let network = ClientNetwork(address)
        return network.isThisMachine || proxies.isTrusted(address) ? nil : network
    }

    /// The client of a request, as far as the peer may name it.
    func client(of request: HTTPRequest, _ peer: SocketAddress?) -> ClientNetwork? {
        limited(RequestClient(peer, request.headerFields, proxies).address)
    }

    /// Counts a connection; returns false if its peer has too many.
    func open(_ peer: ClientNetwork) -> Bool {
        let isOpen = connections.withLock { $0.reserve(1, of: peer) }
        if !isOpen, peers.isDue(peer, now: time.now) {
            logger.warning("too many connections", metadata: ["peer": "\(peer.text)"])
        }
        return isOpen
    }
}

/// How much of a limited amount all clients have, and how much each of them has.
struct Shares {
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
