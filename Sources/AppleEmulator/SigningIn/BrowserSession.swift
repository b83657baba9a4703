import Foundation
import HTTPTypes
import SignedTokens

/// A browser in which people are signed in with their Apple Accounts, one of them at the moment.
struct BrowserSession {
    static let lifetimeSeconds: TimeInterval = 8 * 3_600
    static let cookieName = "emulated-apple-account"

    /// How many people may be signed in to one browser; the one who came first goes first.
    static let maximumPersonCount = 8

    /// Who signed in or was chosen last.
    var current: SignedInPerson
    /// Who else is signed in, the latest first.
    var others: [SignedInPerson] = []

    var personID: PersonID { current.personID }
    var authenticatedAt: Date { current.authenticatedAt }
    var people: [SignedInPerson] {
        get { [current] + others }
        set {
            current = newValue.first ?? current
            others = Array(newValue.dropFirst())
        }
    }

    /// The session with a person in front, who may have been in it before.
    func putting(_ person: SignedInPerson) -> BrowserSession {
        let others = people.filter { $0.personID != person.personID }
        return BrowserSession(
            current: person,
            others: Array(others.prefix(Self.maximumPersonCount - 1))
        )
    }

    /// The session of those who are still wanted; nil when nobody is.
    func keeping(_ isWanted: (SignedInPerson) -> Bool) -> BrowserSession? {
        let wanted = people.filter(isWanted)
        guard let first = wanted.first else { return nil }
        return BrowserSession(current: first, others: Array(wanted.dropFirst()))
    }

    /// The session named by a request's cookies.
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

/// Tells one browser from another, whether or not somebody is signed in with it.
///
/// A transaction belongs to the browser that began it. Without that, somebody could begin one,
/// let another person sign in to it by a form on another site, and carry it on as that person.
struct BrowserMark: Hashable {
    static let cookieName = "emulated-apple-browser"
    static let byteCount = 32

    let text: String

    static func make() -> BrowserMark {
        BrowserMark(text: RandomText.base64URL(byteCount: byteCount))
    }

    private init(text: String) { self.text = text }

    /// The mark a request carries; nil for none, and for one this emulator would not have made.
    init?(of request: HTTPRequest) {
        guard let text = RequestCookies(request)[Self.cookieName],
            Base64URL.decode(text)?.count == Self.byteCount
        else { return nil }
        self.text = text
    }

    /// The cookie that marks a browser until it is closed.
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
