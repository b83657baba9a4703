import Accounts

/// The IP address, or the IPv6 network, whose requests are counted together.
struct ClientNetwork: Hashable, Sendable {
    let text: String
    /// Whether the address is this machine's: a proxy here that is not configured stands for all of its clients.
    let isThisMachine: Bool

    /// Creates the network of an IP address; a connection without one belongs to this machine.
    init(_ address: String) {
        let range = AddressRange(address)
        isThisMachine = range == nil || NetworkList.loopback.contains(address)
        text = isThisMachine ? "this machine" : range?.client ?? address
    }

    /// The number of clients as which the network counts.
    var clientCount: Int { isThisMachine ? ClientDescription.localClientCount : 1 }
}
