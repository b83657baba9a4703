import AppleIdentity
import Foundation
import Hummingbird
import SignInWithApple

/// A name by which browsers reach this server, and the one by which they reach Apple from there.
package struct WebOrigin: Hashable, Sendable {
    /// Scheme, host and port of this server's pages.
    package let publicURL: URL
    /// Where browsers that use this name find Apple.
    package let appleBrowserURL: URL

    /// The form in which browsers write it into the `Origin` field.
    ///
    /// Source: [RFC 6454, section 6.2](https://www.rfc-editor.org/rfc/rfc6454#section-6.2)
    package let serialized: String
    let authority: String

    /// Makes an origin; throws ``ConfigurationError`` about `SIWA_PUBLIC_URL`.
    package init(publicURL: URL, appleBrowserURL: URL) throws(ConfigurationError) {
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
    package var redirectURI: String { serialized + WebPath.callback }

    /// Whether a request's `Host` names this origin.
    func matches(authority other: String) -> Bool {
        let other = other.lowercased()
        return other == authority || other == authority + (isSecure ? ":443" : ":80")
    }
}

/// Chooses by which of its names a request reached the server.
struct OriginChoice: Sendable {
    private let first: WebOrigin
    private let all: [WebOrigin]

    init(_ origins: [WebOrigin]) throws(ConfigurationError) {
        guard let first = origins.first else {
            throw ConfigurationError("SIWA_PUBLIC_URL", "is not set", fix: "set it")
        }
        self.first = first
        all = origins
    }

    /// Whether a request reached the server by a name that is served over TLS.
    func isSecure(_ request: Request) -> Bool {
        all.count == 1 ? first.isSecure : origin(of: request).isSecure
    }

    /// The cookies of the name by which a request reached the server.
    func cookies(of request: Request) -> SiteCookies { SiteCookies(isSecure: isSecure(request)) }

    /// The origin that the `Host` field names; the first one when it names none.
    func origin(of request: Request) -> WebOrigin {
        guard let authority = request.head.authority else { return first }
        return all.first { $0.matches(authority: authority) } ?? first
    }
}

/// The address of a whole server: scheme, host and port, nothing behind them.
struct ServerAddress {
    let scheme: String
    let authority: String

    /// Reads an address; plain `http` to another machine only where that is said to be meant.
    init(
        _ url: URL,
        variable: String,
        allowingPlainHTTP isPlainHTTPAllowed: Bool = false
    ) throws(ConfigurationError) {
        let fix = "write it like https://accounts.example.com"
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased(), !host.isEmpty
        else {
            throw ConfigurationError(variable, "is not an http or https address", fix: fix)
        }
        guard ["", "/"].contains(url.path()), url.query() == nil, url.fragment() == nil,
            url.user() == nil
        else {
            throw ConfigurationError(variable, "has more than scheme, host and port", fix: fix)
        }
        // Without TLS a cookie is safe from others on the way on loopback names alone.
        guard scheme == "https" || isPlainHTTPAllowed || LoopbackHost.contains(host)
        else {
            throw ConfigurationError(
                variable,
                "is http, which only loopback names such as localhost may be",
                fix: "use https; a proxy in front of the server may terminate TLS"
            )
        }
        self.scheme = scheme
        let defaultPort = scheme == "https" ? 443 : 80
        let port = url.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
        authority = host + port
    }
}
