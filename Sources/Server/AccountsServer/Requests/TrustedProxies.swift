import Foundation

/// The proxies that are trusted to forward the client's IP address.
///
/// Any client can send `X-Forwarded-For`, so only trusted proxies may set the IP address.
package struct TrustedProxies: Hashable, Sendable {
    /// The maximum number of forwarded IP addresses to check.
    static let maximumHopCount = 20

    package static let settingName = "SIWA_TRUSTED_PROXIES"

    /// The clients whose IP address a proxy does not forward; they count as one (RFC 7239, section 6.2).
    private static let unknown = "unknown"

    private let networks: NetworkList

    /// Trusts no proxy.
    package init() { networks = NetworkList() }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_TRUSTED_PROXIES`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        networks = try NetworkList(entries, of: Self.settingName)
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
        while isTrusted(client), let hop = hops.popLast().map(Self.withoutPort) {
            guard !hop.contains("/"), AddressRange(hop) != nil else { return Self.unknown }
            client = hop
        }
        return client
    }

    /// Some proxies append the port too, as in `203.0.113.9:51234` and `[2001:db8::1]:443`.
    private static func withoutPort(_ hop: String) -> String {
        let form = /\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5}/
        guard hop.contains(":"), let parts = hop.wholeMatch(of: form)?.output else { return hop }
        return String(parts.1 ?? parts.2 ?? "")
    }

    /// Whether an IP address belongs to a trusted proxy.
    func isTrusted(_ address: String) -> Bool { networks.contains(address) }

    /// The error in the settings of a server with this public URL; nil if there is none.
    package func mistake(publicURL: String) -> ConfigurationError? {
        guard isEmpty, publicURL.hasPrefix("https://") else { return nil }
        return ConfigurationError(
            Self.settingName,
            "is not set, but \(publicURL) needs a proxy for TLS, whose clients would count as one",
            fix: "list the proxy's IP address, for example 127.0.0.1"
        )
    }
}
