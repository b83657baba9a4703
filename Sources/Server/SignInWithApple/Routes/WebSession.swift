import AppleIdentity
import Crypto
import Foundation
import HTTPTypes

/// A new session: a token that cannot be guessed, and the lifetime of its cookie.
///
/// The routes send the token to the client. Your server stores the session's account, best under the token's hash.
public struct WebSession: Hashable, Sendable {
    private static let tokenByteCount = 32
    /// The lengths of an acceptable token, in bytes.
    private static let tokenByteCounts = 32...256
    fileprivate static let cookieName = "siwa-session"

    /// The token: 256 random bits as text.
    public let token: String
    /// The lifetime of the browser's cookie, and the `expiresIn` of an app's response.
    ///
    /// Your server decides how long the session is valid.
    public let lifetime: Duration
    /// The path of your page where the sign-in ends instead of the requested one.
    public var returnPath: String?

    /// Creates a session with a new token.
    ///
    /// - Parameter lifetime: the lifetime of the browser's cookie, and the `expiresIn` of an app's response; two weeks
    ///   by default.
    public init(lifetime: Duration = .seconds(14 * 86_400)) {
        self.init(
            token: SecureRandom.hexadecimal(byteCount: Self.tokenByteCount),
            lifetime: lifetime
        )
    }

    /// The hash of the token, under which your server stores the session.
    public var tokenHash: String { Self.hash(of: token) }

    /// Hashes a session token; a token has 256 random bits, so a plain hash is enough.
    ///
    /// - Parameter token: the token of a request, or of `previousSessionToken`.
    /// - Returns: the SHA-256, as 64 hexadecimal digits.
    public static func hash(of token: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Data(token.utf8)))
    }

    /// Creates a session with a token of another source.
    package init(token: String, lifetime: Duration) {
        self.token = token
        self.lifetime = lifetime
    }

    /// The `Set-Cookie` field that signs a browser out; a `name` replaces the name of the routes' cookie.
    package static func clearedCookie(_ cookies: SiteCookies, name: String? = nil) -> HTTPField {
        .setCookie(cookies.setCookie(named: name ?? cookieName(cookies), "", lifetime: .zero))
    }

    /// The `Set-Cookie` field that signs a browser in.
    package func cookie(_ cookies: SiteCookies) -> HTTPField {
        .setCookie(cookies.setCookie(Self.cookieName, token, lifetime: lifetime))
    }

    fileprivate static func cookieName(_ cookies: SiteCookies) -> String {
        cookies.name(cookieName)
    }

    fileprivate static func checked(_ token: String) -> String? {
        tokenByteCounts.contains(token.utf8.count) ? token : nil
    }
}

extension HTTPField {
    package static func setCookie(_ value: String) -> HTTPField {
        HTTPField(name: .setCookie, value: value)
    }
}

extension HTTPRequest {
    /// The token of a ``WebSession`` that an app sends as a Bearer token.
    package var bearerSessionToken: String? { bearerToken.flatMap(WebSession.checked) }

    /// The token of an app or a browser; a `cookieName` replaces the name of the routes' cookie.
    package func sessionToken(_ cookies: SiteCookies, cookieName: String? = nil) -> String? {
        let token = bearerToken ?? cookie(cookieName ?? WebSession.cookieName(cookies))
        return token.flatMap(WebSession.checked)
    }

    /// The Bearer token; nil for another scheme, such as the `Basic` of a proxy.
    package var bearerToken: String? { headerFields[.authorization].flatMap(Self.bearerToken) }

    package static func bearerToken(in field: String) -> String? {
        // RFC 6750, section 2.1: the scheme, one space, the token. The query is never read.
        // https://www.rfc-editor.org/rfc/rfc6750#section-2.1
        let scheme = field.prefix { $0 != " " }
        return scheme.lowercased() == "bearer" ? String(field[scheme.endIndex...].dropFirst()) : nil
    }

    package func sessionCookieToken(_ cookies: SiteCookies) -> String? {
        cookie(WebSession.cookieName(cookies))
    }
}
