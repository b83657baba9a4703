import Foundation

/// A redirect address, and what Apple would say to it.
struct RedirectAddress {
    /// The longest address read, in bytes.
    static let byteCountMax = 2_048

    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Why the address can't be registered, not even here; nil when it can.
    var registrationFault: String? {
        guard text.utf8.count <= Self.byteCountMax else {
            return "is longer than \(Self.byteCountMax) bytes"
        }
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            let host = url.host, !host.isEmpty
        else { return "is not an absolute address" }
        // Apple: the address has a domain name, no IP address or localhost, and no fragment.
        // https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.
        guard url.fragment == nil else { return "has a fragment" }
        guard url.user == nil, url.password == nil else { return "has a user or a password" }
        if isLoopback { return ["http", "https"].contains(scheme) ? nil : "is not http or https" }
        guard scheme == "https" else { return "is not https" }
        guard !isInternetProtocolAddress(host) else { return "has an IP address, not a domain" }
        guard host.contains(".") else { return "has no domain name" }
        return nil
    }

    /// Whether the address leads to the machine itself, which Apple would not accept.
    var isLoopback: Bool {
        guard let host = URLComponents(string: text)?.host?.lowercased() else { return false }
        return host == "localhost" || host.hasSuffix(".localhost")
            || host.hasPrefix("127.")
                && isInternetProtocolAddress(host)
            || host == "[::1]" || host == "::1"
    }

    private func isInternetProtocolAddress(_ host: String) -> Bool {
        if host.contains(":") || host.hasPrefix("[") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.last.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } ?? false
    }
}
