import HTTPTypes
import NIOCore

/// The client that sent a request: the peer, or the client that a trusted proxy names.
///
/// The IP address is formatted only when it is used, because most requests do not use it.
struct RequestClient: Sendable {
    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    let peer: SocketAddress?
    private let forwarded: [String]
    private let proxies: TrustedProxies

    /// Creates the client of a request; without header fields, the peer itself.
    init(
        _ peer: SocketAddress?,
        _ fields: HTTPFields = [:],
        _ proxies: TrustedProxies = TrustedProxies()
    ) {
        self.peer = peer
        self.proxies = proxies
        forwarded = Self.forwardedFor.map { fields[values: $0] } ?? []
    }

    /// The IP address, as far as it can be trusted.
    var address: String { proxies.client(peer: peerAddress, forwarded: forwarded) }

    /// The network whose attempts are counted together.
    var network: ClientNetwork { ClientNetwork(address) }

    /// The network of a peer whose `X-Forwarded-For` is ignored, because it is no trusted proxy.
    var untrustedProxy: ClientNetwork? {
        forwarded.isEmpty || proxies.isTrusted(peerAddress) ? nil : ClientNetwork(peerAddress)
    }

    private var peerAddress: String { peer?.ipAddress ?? ClientNetwork.none }
}
