import Foundation

/// A browser in which a person is signed in with their Apple Account.
struct BrowserSession {
    /// How long a browser stays signed in, in seconds.
    static let lifetimeSeconds: TimeInterval = 8 * 3_600
    /// The cookie's name.
    static let cookieName = "emulated-apple-account"

    let personID: PersonID
    let authenticatedAt: Date

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(authenticatedAt) >= Self.lifetimeSeconds
    }

    /// The session named by a request's cookies.
    static func identifier(inCookies cookies: [String]) -> String? {
        RequestCookies(cookies)[cookieName]
    }

    /// The cookie that starts a session.
    static func cookie(_ identifier: String, isSecure: Bool) -> String {
        "\(cookieName)=\(identifier); Path=/; Max-Age=\(Int(lifetimeSeconds)); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    /// The cookie that ends a session.
    static func endingCookie(isSecure: Bool) -> String {
        "\(cookieName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }
}
