import HTTPTypes

/// The cookie of a session that the routes opened.
///
/// Source: [RFC 6265bis, section 4.1.3](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3)
enum SessionCookie {
    static let name = "__Host-session"

    /// Lax, for which a link from elsewhere still finds the person signed in.
    static func field(_ session: SignInSession) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(name)=\(session.token); Max-Age=\(session.lifetimeSeconds); Path=/; "
                + "Secure; HttpOnly; SameSite=Lax"
        )
    }
}
