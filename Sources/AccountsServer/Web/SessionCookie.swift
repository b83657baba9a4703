import Accounts
import HTTPTypes
import Hummingbird

/// The cookie that keeps a browser signed in.
///
/// Source: [RFC 6265bis, section 4.1.3](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3)
enum SessionCookie {
    static let name = "__Host-siwa-session"

    static func token(in request: Request) -> String? {
        request.cookies[name]?.value
    }

    /// Lax, for which a link from elsewhere still finds the person signed in.
    static func field(_ token: SessionToken, lifetime: Int) -> HTTPField {
        field(value: token.text, lifetime: lifetime)
    }

    static var cleared: HTTPField { field(value: "", lifetime: 0) }

    private static func field(value: String, lifetime: Int) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(name)=\(value); Max-Age=\(lifetime); Path=/; Secure; HttpOnly; SameSite=Lax"
        )
    }
}
