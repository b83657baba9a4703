/// The names and attributes of a site's cookies, which follow from its address.
///
/// At https a cookie is `Secure`, and its name begins with `__Host-`, which keeps neighboring hosts from writing it.
/// At http, which only a loopback address uses, it is neither: Safari takes no `Secure` cookie from such a site.
///
/// Source: [RFC 6265bis, section 4.1.3](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3),
/// [WebKit bug 281149](https://bugs.webkit.org/show_bug.cgi?id=281149)
public struct SiteCookies: Hashable, Sendable {
    /// Which requests bring a cookie along.
    public enum Reach: Hashable, Sendable {
        /// Requests from the site's own pages, and links from elsewhere: for a session.
        case ownSite
        /// Also a POST from another site, where the browser allows it: for a pending sign-in.
        ///
        /// Browsers take `SameSite=None` only with `Secure`, which leaves ``ownSite`` at http.
        case everySite
    }

    private let isSecure: Bool

    /// Describes the cookies of a site.
    ///
    /// - Parameter address: the site's public address, such as its redirect address.
    public init(at address: String) {
        self.init(isSecure: address.lowercased().hasPrefix("https:"))
    }

    package init(isSecure: Bool) { self.isSecure = isSecure }

    /// The whole name of a cookie.
    ///
    /// - Parameter name: the name without a prefix.
    /// - Returns: the name as browsers know it.
    public func name(_ name: String) -> String { isSecure ? "__Host-" + name : name }

    /// The value of a `Set-Cookie` field.
    ///
    /// - Parameters:
    ///   - name: the name without a prefix.
    ///   - value: the content; empty to end the cookie.
    ///   - lifetime: how long the browser keeps it; zero to end it.
    ///   - reach: which requests bring it along.
    /// - Returns: the cookie with its attributes; scripts can't read it.
    public func setCookie(
        _ name: String,
        _ value: String,
        lifetime: Duration,
        reach: Reach = .ownSite
    ) -> String {
        let sameSite = isSecure && reach == .everySite ? "None" : "Lax"
        let secure = isSecure ? "Secure; " : ""
        return "\(self.name(name))=\(value); Max-Age=\(lifetime.components.seconds); Path=/; "
            + secure + "HttpOnly; SameSite=\(sameSite)"
    }
}
