/// The addresses and names that lead to this machine from this machine alone.
package enum Loopback {
    /// What a port listens on unless told otherwise.
    package static let address = "127.0.0.1"

    /// Whether an authority, with or without port, names this machine.
    package static func contains(_ authority: String) -> Bool {
        let host = host(of: authority).lowercased()
        if ["localhost", "[::1]", "::1"].contains(host) || host.hasSuffix(".localhost") {
            return true
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The host of an authority, an IPv6 address with its brackets.
    static func host(of authority: String) -> Substring {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return authority[...end]
        }
        return authority == "::1" ? authority[...] : authority.prefix { $0 != ":" }
    }
}
