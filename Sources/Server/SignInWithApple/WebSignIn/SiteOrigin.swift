import Foundation

/// The scheme, host and port of a URL.
///
/// Source: [RFC 6454, section 4](https://www.rfc-editor.org/rfc/rfc6454#section-4)
package struct SiteOrigin: Hashable, Sendable {
    /// The host in lowercase; an IPv6 address has its brackets.
    package let host: String
    /// The host, and the port unless it is the scheme's default port.
    package let authority: String
    /// The origin as browsers write it into the `Origin` field.
    ///
    /// Source: [RFC 6454, section 6.2](https://www.rfc-editor.org/rfc/rfc6454#section-6.2)
    package let serialized: String
    private let defaultPort: Int

    /// Reads the origin of an absolute URL; that of any other text equals no origin that a browser sends.
    package init(_ url: String) {
        let parts = URLComponents(string: url)
        let scheme = parts?.scheme?.lowercased() ?? ""
        let port = scheme == "http" ? 80 : 443
        host = parts?.host?.lowercased() ?? ""
        defaultPort = port
        authority = host + (parts?.port.flatMap { $0 == port ? nil : ":\($0)" } ?? "")
        serialized = "\(scheme)://\(authority)"
    }

    /// Whether the origin uses HTTPS.
    package var isSecure: Bool { serialized.hasPrefix("https:") }

    /// Whether a `Host` header field names this origin.
    package func matches(authority other: String) -> Bool {
        let other = other.lowercased()
        return other == authority || other == "\(authority):\(defaultPort)"
    }
}
