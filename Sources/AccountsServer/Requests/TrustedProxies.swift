import Foundation

/// The proxies that are trusted to forward the client's IP address.
///
/// Any client can send `X-Forwarded-For`, so only trusted proxies may set the IP address.
package struct TrustedProxies: Hashable, Sendable {
    /// The maximum number of forwarded IP addresses to check.
    static let maximumHopCount = 20

    private let networks: NetworkList

    /// Trusts no proxy.
    package init() { networks = NetworkList() }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_TRUSTED_PROXIES`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        networks = try NetworkList(entries, of: "SIWA_TRUSTED_PROXIES")
    }

    var isEmpty: Bool { networks.isEmpty }

    /// Returns the client's IP address: the last one that does not belong to a trusted proxy.
    func client(peer: String, forwarded: [String]) -> String {
        guard !networks.isEmpty else { return peer }
        var hops = forwarded.flatMap { $0.split(separator: ",") }
            .suffix(Self.maximumHopCount)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        var client = peer
        // A proxy appends the IP address of its client; the addresses before it may be forged.
        while isTrusted(client), let hop = hops.popLast(),
            !hop.contains("/"), AddressRange(hop) != nil
        {
            client = hop
        }
        return client
    }

    /// Whether an IP address belongs to a trusted proxy.
    func isTrusted(_ address: String) -> Bool { networks.contains(address) }
}
