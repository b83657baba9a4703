import Foundation

/// The proxies in front of the server whose word about the client's address counts.
///
/// Anybody can write `X-Forwarded-For`: without a named proxy the address of the connection is all that is known.
package struct TrustedProxies: Hashable, Sendable {
    /// How many addresses of the field are looked at; more proxies in a row than that nobody has.
    static let maximumHopCount = 20

    private let networks: NetworkList

    /// Trusts nobody.
    package init() { networks = NetworkList() }

    /// Reads addresses and networks; throws ``ConfigurationError`` about `SIWA_TRUSTED_PROXIES` that names the entry.
    package init(_ entries: [String]) throws(ConfigurationError) {
        networks = try NetworkList(entries, of: "SIWA_TRUSTED_PROXIES")
    }

    var isEmpty: Bool { networks.isEmpty }

    /// The address a request came from: the last one that no trusted proxy stands for.
    func client(peer: String, forwarded: [String]) -> String {
        guard !networks.isEmpty else { return peer }
        var hops = forwarded.flatMap { $0.split(separator: ",") }
            .suffix(Self.maximumHopCount)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        var client = peer
        // A proxy appends the address it was called from: what stands left of it may be made up.
        while isTrusted(client), let hop = hops.popLast(),
            !hop.contains("/"), AddressRange(hop) != nil
        {
            client = hop
        }
        return client
    }

    /// Whether an address is one of the proxies.
    func isTrusted(_ address: String) -> Bool { networks.contains(address) }
}
