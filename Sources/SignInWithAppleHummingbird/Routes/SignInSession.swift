import AppleIdentity
import HTTPTypes
import Hummingbird
import SignInWithApple

/// A new session: a token nobody can guess, and how long a client may keep it.
///
/// The routes hand the token to the client; who it belongs to is yours to store, best under its hash.
public struct SignInSession: Hashable, Sendable {
    private static let tokenByteCount = 32
    /// The longest and the shortest token that is looked at, in bytes.
    private static let tokenByteCounts = 32...256
    fileprivate static let cookieName = "__Host-siwa-session"

    /// The token, 256 bits as hexadecimal digits.
    public let token: String
    /// How long a browser keeps the cookie; your server decides when it really ends.
    public let lifetime: Duration

    /// Makes a session with a new token.
    ///
    /// - Parameter lifetime: how long a browser keeps the cookie; two weeks when left out.
    public init(lifetime: Duration = .seconds(14 * 86_400)) {
        self.init(
            token: SecureRandom.hexadecimal(byteCount: Self.tokenByteCount),
            lifetime: lifetime
        )
    }

    /// A session whose token was made elsewhere.
    package init(token: String, lifetime: Duration) {
        self.token = token
        self.lifetime = lifetime
    }

    /// The `Set-Cookie` field that signs a browser out.
    public static var clearedCookie: HTTPField { cookie("", lifetime: .zero) }

    /// The `Set-Cookie` field that signs a browser in.
    ///
    /// Source: [RFC 6265bis, section 4.1.3](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3)
    package var cookie: HTTPField { Self.cookie(token, lifetime: lifetime) }

    /// Lax, for which a link from elsewhere still finds the person signed in.
    private static func cookie(_ value: String, lifetime: Duration) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(cookieName)=\(value); Max-Age=\(lifetime.wholeSeconds); Path=/; "
                + "Secure; HttpOnly; SameSite=Lax"
        )
    }

    fileprivate static func isToken(_ text: String) -> Bool {
        tokenByteCounts.contains(text.utf8.count)
    }
}

extension Request {
    /// The token of a ``SignInSession`` that came along: a Bearer token, or a browser's cookie.
    ///
    /// It is only what the client says; look it up among the sessions you opened.
    public var signInSessionToken: String? {
        let token = headers[.authorization] == nil ? sessionCookieToken : bearerToken
        return token.flatMap { SignInSession.isToken($0) ? $0 : nil }
    }

    /// The token that a program sends along; nil when there is none, or one of another scheme.
    package var bearerToken: String? { headers[.authorization].flatMap(Self.bearerToken) }

    /// The token in an `Authorization` field.
    package static func bearerToken(in field: String) -> String? {
        // RFC 6750, section 2.1: the scheme, one space, the token. The query is never looked at.
        // https://www.rfc-editor.org/rfc/rfc6750#section-2.1
        guard let space = field.utf8.firstIndex(of: 0x20),
            field[..<space].lowercased() == "bearer"
        else { return nil }
        return String(field[field.utf8.index(after: space)...])
    }

    /// The token of a browser's cookie.
    package var sessionCookieToken: String? { cookies[SignInSession.cookieName]?.value }
}
