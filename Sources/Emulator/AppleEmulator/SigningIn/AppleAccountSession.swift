import Foundation
import HTTPTypes
import SignedTokens

/// The session of a browser: the people signed in with their Apple Accounts, and the current one.
struct AppleAccountSession {
    static let lifetimeSeconds: TimeInterval = 8 * 3_600

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
}

/// Identifies a browser, with or without a signed-in person.
///
/// A transaction belongs to the browser that began it. Otherwise an attacker could begin one, have
/// a victim sign in to it by a form on another site, and continue it as the victim.
struct BrowserMark: Hashable {
    static let byteCount = 32

    let text: String

    static func make() -> BrowserMark {
        BrowserMark(text: RandomText.base64URL(byteCount: byteCount))
    }

    private init(text: String) { self.text = text }

    /// The mark in a cookie; nil if it is missing or not in the emulator's format.
    init?(_ cookie: EmulatorCookie) {
        guard let text = cookie.value, Base64URL.decode(text)?.count == Self.byteCount else {
            return nil
        }
        self.text = text
    }
}

/// A cookie of the emulator's pages, in a request and in the response to it.
struct EmulatorCookie {
    enum Purpose: String {
        /// The identifier of the session with an Apple Account.
        case account = "emulated-apple-account"
        case browser = "emulated-apple-browser"
    }

    /// The purpose, the port and the world: browsers send cookies to all ports of a host.
    let name: String
    /// The value in the request; nil if it has none.
    let value: String?
    private let attributes: String

    init(_ purpose: Purpose, of request: HTTPRequest, in world: WorldName?) {
        let port = request.authority?.wholeMatch(of: /.*:([0-9]+)/)?.1
        let parts = [purpose.rawValue, port.map(String.init), world?.text]
        name = parts.compactMap(\.self).joined(separator: "-")
        value = RequestCookies(request)[name]
        attributes =
            "Path=\(world?.path ?? "/"); HttpOnly; SameSite=Lax"
            + (request.scheme == "https" ? "; Secure" : "")
    }

    /// The header field that stores a value for a time, or until the browser is closed.
    func storing(_ value: String, seconds: TimeInterval? = nil) -> String {
        "\(name)=\(value); " + (seconds.map { "Max-Age=\(Int($0)); " } ?? "") + attributes
    }

    /// The header field that removes the cookie.
    var ending: String { storing("", seconds: 0) }
}

extension EmulatorState {
    func cookie(_ purpose: EmulatorCookie.Purpose, of request: HTTPRequest) -> EmulatorCookie {
        EmulatorCookie(purpose, of: request, in: configuration.world)
    }
}

struct RequestCookies {
    private let pairs: [Substring]

    init(_ request: HTTPRequest) {
        pairs = request.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }
    }

    subscript(name: String) -> String? {
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            if parts[0].trimmingPrefix(while: \.isWhitespace) == name { return String(parts[1]) }
        }
        return nil
    }
}
