import Accounts

/// The IP address, or the IPv6 network, whose requests are counted together.
struct ClientNetwork: Hashable, Sendable {
    /// Instead of the IP address of a connection that has none.
    static let none = "none"

    let text: String
    /// The wider network that contains it.
    let wider: String
    /// Whether the address is this machine's: a proxy here that is not configured stands for all of its clients.
    let isThisMachine: Bool

    /// Creates the network of an IP address; a connection without one belongs to this machine.
    init(_ address: String) {
        let range = AddressRange(address)
        isThisMachine = address == Self.none || NetworkList.loopback.contains(address)
        text = isThisMachine ? "this machine" : range?.client ?? address
        wider = isThisMachine ? text : range?.wider ?? text
    }

    /// The number of clients as which the network counts.
    var clientCount: Int { isThisMachine ? ClientDescription.localClientCount : 1 }
}
