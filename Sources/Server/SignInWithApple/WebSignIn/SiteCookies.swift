/// The names and attributes of a site's cookies, which depend on the scheme of its URL.
///
/// Over HTTPS, a cookie is `Secure` and its name begins with `__Host-`, so other hosts of the domain cannot set it.
/// Over HTTP, which only a loopback host uses, it has neither: Safari rejects `Secure` cookies there.
///
/// Source: [RFC 6265bis, section 4.1.3](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3),
/// [WebKit bug 281149](https://bugs.webkit.org/show_bug.cgi?id=281149)
public struct SiteCookies: Hashable, Sendable {
    /// The requests that include a cookie (`SameSite`).
    public enum Reach: Hashable, Sendable {
        /// Requests from the site's own pages, and links from other sites: for a session.
        case ownSite
        /// Also a POST from another site, if the browser permits it: for a pending sign-in.
        ///
        /// Browsers accept `SameSite=None` only with `Secure`; over HTTP, ``ownSite`` is used instead.
        case everySite
    }

    private let isSecure: Bool

    /// Creates the cookies of a site.
    ///
    /// - Parameter address: the site's public URL, such as its redirect URI; only the scheme is used.
    public init(at address: String) {
        self.init(isSecure: address.lowercased().hasPrefix("https:"))
    }

    package init(isSecure: Bool) { self.isSecure = isSecure }

    /// Returns the full name of a cookie.
    ///
    /// - Parameter name: the name without a prefix.
    /// - Returns: the name with the prefix that the site's scheme requires.
    public func name(_ name: String) -> String { isSecure ? "__Host-" + name : name }

    /// Returns the value of a `Set-Cookie` field.
    ///
    /// - Parameters:
    ///   - name: the name without a prefix.
    ///   - value: the content; empty to delete the cookie.
    ///   - lifetime: how long the browser keeps it, in whole seconds; zero to delete it.
    ///   - reach: the requests that include it.
    /// - Returns: the cookie with its attributes, which include `HttpOnly`.
    public func setCookie(
        _ name: String,
        _ value: String,
        lifetime: Duration,
        reach: Reach = .ownSite
    ) -> String {
        setCookie(named: self.name(name), value, lifetime: lifetime, reach: reach)
    }

    func setCookie(
        named fullName: String,
        _ value: String,
        lifetime: Duration,
        reach: Reach = .ownSite
    ) -> String {
        let sameSite = isSecure && reach == .everySite ? "None" : "Lax"
        let secure = isSecure ? "Secure; " : ""
        return "\(fullName)=\(value); Max-Age=\(lifetime.components.seconds); Path=/; "
            + secure + "HttpOnly; SameSite=\(sameSite)"
    }
}
