import AppleIdentity
import Foundation
import Hummingbird
import SignInWithApple

/// The origin at which browsers reach this server, and the URL at which they then reach Apple.
package struct WebOrigin: Hashable, Sendable {
    /// The scheme, host and port of this server's pages.
    package let publicURL: URL
    /// The URL of Apple's service for these browsers.
    package let appleBrowserURL: URL

    /// The value in the `Origin` header field.
    ///
    /// Source: [RFC 6454, section 6.2](https://www.rfc-editor.org/rfc/rfc6454#section-6.2)
    package let serialized: String
    let authority: String

    /// Creates an origin; throws ``ConfigurationError`` about `SIWA_PUBLIC_URL`.
    package init(publicURL: URL, appleBrowserURL: URL) throws(ConfigurationError) {
        let name = "SIWA_PUBLIC_URL"
        let address = try ServerAddress(publicURL, variable: name)
        self.publicURL = publicURL
        self.appleBrowserURL = appleBrowserURL
        authority = address.authority
        serialized = address.serialized
    }

    /// Whether the origin uses HTTPS.
    var isSecure: Bool { serialized.hasPrefix("https:") }

    /// The redirect URI to which Apple posts the response; register exactly this URL with Apple.
    package var redirectURI: String { serialized + WebPath.callback }

    /// Whether a `Host` header field names this origin.
    func matches(authority other: String) -> Bool {
        let other = other.lowercased()
        return other == authority || other == authority + (isSecure ? ":443" : ":80")
    }
}

/// Selects the origin of a request.
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

    /// Whether the request's origin uses HTTPS.
    func isSecure(_ request: Request) -> Bool {
        all.count == 1 ? first.isSecure : origin(of: request).isSecure
    }

    /// The cookies of the request's origin.
    func cookies(of request: Request) -> SiteCookies { SiteCookies(isSecure: isSecure(request)) }

    /// The URL at which browsers reach this server.
    var publicURL: String { first.serialized }

    /// Returns the `Host` header field if it names none of the origins.
    func unknownHost(of request: Request) -> String? {
        guard let authority = request.head.authority,
            !all.contains(where: { $0.matches(authority: authority) })
        else { return nil }
        return authority
    }

    /// Returns the origin that the `Host` header field names, or the first one.
    func origin(of request: Request) -> WebOrigin {
        guard let authority = request.head.authority else { return first }
        return all.first { $0.matches(authority: authority) } ?? first
    }
}

/// The URL of a server: only scheme, host and port.
struct ServerAddress {
    let scheme: String
    let authority: String
    var serialized: String { "\(scheme)://\(authority)" }

    /// Reads a URL; plain HTTP to another machine only where it is allowed.
    init(
        _ url: URL,
        variable: String,
        allowingPlainHTTP isPlainHTTPAllowed: Bool = false
    ) throws(ConfigurationError) {
        let fix = "use the form https://accounts.example.com"
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased(), !host.isEmpty
        else {
            throw ConfigurationError(variable, "is not an http or https URL", fix: fix)
        }
        guard ["", "/"].contains(url.path()), url.query() == nil, url.fragment() == nil,
            url.user() == nil
        else {
            throw ConfigurationError(variable, "must contain only scheme, host and port", fix: fix)
        }
        // Without TLS, others on the network can read a cookie, except on loopback names.
        guard scheme == "https" || isPlainHTTPAllowed || LoopbackHost.contains(host)
        else {
            throw ConfigurationError(
                variable,
                "uses http, which is allowed only for loopback names such as localhost",
                fix: "use https; a proxy in front of the server may terminate TLS"
            )
        }
        self.scheme = scheme
        let defaultPort = scheme == "https" ? 443 : 80
        let port = url.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
        // Foundation returns an IPv6 address without its brackets.
        authority = (host.contains(":") ? "[\(host)]" : host) + port
    }
}
