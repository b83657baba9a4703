import Foundation

/// A name by which browsers reach this server, and the one by which they reach Apple from there.
public struct WebOrigin: Hashable, Sendable {
    /// Scheme, host and port of this server's pages.
    public let publicURL: URL
    /// Where browsers that use this name find Apple.
    public let appleBrowserURL: URL

    /// The form in which browsers write it into the `Origin` field.
    ///
    /// Source: [RFC 6454, section 6.2](https://www.rfc-editor.org/rfc/rfc6454#section-6.2)
    public let serialized: String
    let authority: String

    /// Makes an origin.
    ///
    /// - Parameters:
    ///   - publicURL: scheme, host and port of this server; `http` on loopback names only.
    ///   - appleBrowserURL: where browsers find Apple.
    /// - Throws: ``ConfigurationError`` about `SIWA_PUBLIC_URL`.
    public init(publicURL: URL, appleBrowserURL: URL) throws(ConfigurationError) {
        let name = "SIWA_PUBLIC_URL"
        let address = try ServerAddress(publicURL, variable: name)
        self.publicURL = publicURL
        self.appleBrowserURL = appleBrowserURL
        authority = address.authority
        serialized = "\(address.scheme)://\(address.authority)"
    }

    /// Whether the pages are served over TLS.
    var isSecure: Bool { serialized.hasPrefix("https:") }

    /// The address Apple posts the answer to; registered at Apple as it stands here.
    public var redirectURI: String { serialized + WebPath.callback }

    /// Whether a request's `Host` names this origin.
    func matches(authority other: String) -> Bool {
        let other = other.lowercased()
        return other == authority || other == authority + (isSecure ? ":443" : ":80")
    }
}
