import Foundation
import HTTPTypes
import SignedTokens

/// The session of a browser: the people signed in with their Apple Accounts, and the current one.
struct AppleAccountSession {
    static let lifetimeSeconds: TimeInterval = 8 * 3_600
    static let cookieName = "emulated-apple-account"

    /// The maximum number of people in a session; the least recent one is removed first.
    static let maximumPersonCount = 8

    /// The person who signed in or was chosen last.
    var current: AuthenticatedPerson
    /// The other signed-in people, the most recent first.
    var others: [AuthenticatedPerson] = []

    var personID: PersonID { current.personID }
    var authenticatedAt: Date { current.authenticatedAt }
    var people: [AuthenticatedPerson] {
        get { [current] + others }
        set {
            current = newValue.first ?? current
            others = Array(newValue.dropFirst())
        }
    }

    /// The session with a person as the current one.
    func putting(_ person: AuthenticatedPerson) -> AppleAccountSession {
        let others = people.filter { $0.personID != person.personID }
        return AppleAccountSession(
            current: person,
            others: Array(others.prefix(Self.maximumPersonCount - 1))
        )
    }

    /// The session with only some of its people; nil if none is left.
    func keeping(_ isWanted: (AuthenticatedPerson) -> Bool) -> AppleAccountSession? {
        let wanted = people.filter(isWanted)
        guard let first = wanted.first else { return nil }
        return AppleAccountSession(current: first, others: Array(wanted.dropFirst()))
    }

    static func identifier(of request: HTTPRequest) -> String? {
        RequestCookies(request)[cookieName]
    }

    static func cookie(_ identifier: String, isSecure: Bool) -> String {
        "\(cookieName)=\(identifier); Path=/; Max-Age=\(Int(lifetimeSeconds)); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    static func endingCookie(isSecure: Bool) -> String {
        "\(cookieName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}

/// Identifies a browser, with or without a signed-in person.
///
/// A transaction belongs to the browser that began it. Otherwise an attacker could begin one, have
/// a victim sign in to it by a form on another site, and continue it as the victim.
struct BrowserMark: Hashable {
    static let cookieName = "emulated-apple-browser"
    static let byteCount = 32

    let text: String

    static func make() -> BrowserMark {
        BrowserMark(text: RandomText.base64URL(byteCount: byteCount))
    }

    private init(text: String) { self.text = text }

    /// The mark in a request; nil if it is missing or not in the emulator's format.
    init?(of request: HTTPRequest) {
        guard let text = RequestCookies(request)[Self.cookieName],
            Base64URL.decode(text)?.count == Self.byteCount
        else { return nil }
        self.text = text
    }

    /// The cookie, which lasts until the browser is closed.
    func cookie(isSecure: Bool) -> String {
        "\(Self.cookieName)=\(text); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}

package struct RequestCookies {
    private let pairs: [Substring]

    package init(_ request: HTTPRequest) {
        pairs = request.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }
    }

    package subscript(name: String) -> String? {
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            if parts[0].trimmingPrefix(while: \.isWhitespace) == name { return String(parts[1]) }
        }
        return nil
    }
}
