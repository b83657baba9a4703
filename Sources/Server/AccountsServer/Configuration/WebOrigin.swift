import AppleIdentity
import Foundation
import Hummingbird
import SignInWithApple

/// The origin at which browsers reach this server, and the URL at which they then reach Apple.
package struct WebOrigin: Hashable, Sendable {
    /// The origin of this server's pages.
    package let site: SiteOrigin
    /// The URL of Apple's service for these browsers.
    package let appleBrowserURL: URL

    /// Creates an origin; throws ``ConfigurationError`` about `SIWA_PUBLIC_URL`.
    package init(publicURL: URL, appleBrowserURL: URL) throws(ConfigurationError) {
        site = try SiteOrigin(publicURL, variable: "SIWA_PUBLIC_URL")
        self.appleBrowserURL = appleBrowserURL
    }

    /// The value in the `Origin` header field.
    package var serialized: String { site.serialized }

    /// The redirect URI to which Apple posts the response; register exactly this URL with Apple.
    package var redirectURI: String { serialized + WebPath.callback }
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
        all.count == 1 ? first.site.isSecure : origin(of: request).site.isSecure
    }

    /// The cookies of the request's origin.
    func cookies(of request: Request) -> SiteCookies { SiteCookies(isSecure: isSecure(request)) }

    /// The URL at which browsers reach this server.
    var publicURL: String { first.serialized }

    /// Returns the `Host` header field if it names none of the origins.
    func unknownHost(of request: Request) -> String? {
        guard let authority = request.head.authority,
            !all.contains(where: { $0.site.matches(authority: authority) })
        else { return nil }
        return authority
    }

    /// Returns the origin that the `Host` header field names, or the first one.
    func origin(of request: Request) -> WebOrigin {
        guard let authority = request.head.authority else { return first }
        return all.first { $0.site.matches(authority: authority) } ?? first
    }
}

extension SiteOrigin {
    /// Reads the URL of a server, which has nothing else; plain HTTP to another machine only where it is allowed.
    init(
        _ url: URL,
        variable: String,
        allowingPlainHTTP isPlainHTTPAllowed: Bool = false
    ) throws(ConfigurationError) {
        let fix = "use the form https://accounts.example.com"
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty
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
        self.init(url.absoluteString)
    }
}
