import AppleIdentity
import Foundation

/// A web sign-in under way in one tab: what was sent to Apple, to be kept by that browser alone.
///
/// Seal it with a ``TokenSealer`` into a cookie of ``SiteCookies`` that reaches every site: Apple's answer is posted from
/// another site. Where it comes without the cookie, answer with a ``CallbackForwarding``. The library keeps nothing itself.
public struct PendingWebSignIn: Codable, Hashable, Sendable {
    /// How long the person may take at Apple's page.
    public static let lifetime: Duration = .seconds(600)

    /// The Services ID that was signed in to.
    public let clientID: ClientID
    /// The redirect address, the same when the code is redeemed.
    public let redirectURI: String
    /// What Apple's page sends back; it ties the answer to this browser.
    public let state: String
    /// What Apple copies into the identity token; it ties the token to this sign-in.
    public let nonce: String

    private static let nonceByteCount = 32

    init(clientID: ClientID, redirectURI: String, now: Date) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        state = WebSignInState(now: now).text
        nonce = SecureRandom.hexadecimal(byteCount: Self.nonceByteCount)
    }

    /// A short name, the same in ``AuthorizationCallback/pendingID``, which tells tabs apart: end the
    /// cookie's name with it.
    public var id: String { WebSignInState.id(of: state) }
}

extension AuthorizationCallback {
    /// The ``PendingWebSignIn/id`` of the sign-in that the posted state names; nil when it has none
    /// of this library's form.
    public var pendingID: String? {
        state.flatMap { WebSignInState($0) }.map { WebSignInState.id(of: $0.text) }
    }
}

/// The `state` of a web sign-in: an identifier, the second it began, and a secret.
///
/// The identifier finds the cookie; the time only lets a late answer's page say so. What is trusted is
/// the comparison of the whole with the one that the browser kept.
struct WebSignInState {
    private static let idByteCount = 8
    /// OWASP ASVS 7.2.3 asks for 128 bits.
    private static let secretByteCount = 16

    let text: String

    init(now: Date) {
        let id = SecureRandom.hexadecimal(byteCount: Self.idByteCount)
        let secret = SecureRandom.hexadecimal(byteCount: Self.secretByteCount)
        text = "\(id).\(Int(now.timeIntervalSince1970)).\(secret)"
    }

    init?(_ text: String) {
        guard text.wholeMatch(of: /[0-9a-f]{16}\.[0-9]{1,12}\.[0-9a-f]{32}/) != nil else {
            return nil
        }
        self.text = text
    }

    static func id(of text: String) -> String { String(text.prefix(2 * idByteCount)) }

    func isExpired(now: Date, after lifetime: Duration) -> Bool {
        let beginning = text.split(separator: ".").dropFirst().first.flatMap { Int($0) } ?? 0
        return Int(now.timeIntervalSince1970) - beginning > Int(lifetime.components.seconds)
    }
}

/// A web sign-in whose every check passed; its code has not been redeemed.
public struct VerifiedWebSignIn: Sendable {
    /// Who the person is.
    public let identity: VerifiedIdentity
    /// The identity token, for servers that remember the hashes of those they have seen.
    public let identityToken: String
    /// The authorization code: redeem it once, within five minutes, with ``redirectURI``.
    public let code: String
    /// The name as the person typed it at Apple's page, told on the first sign-in only.
    ///
    /// Nobody vouches for it. It has at most 200 characters, and no invisible ones.
    public let name: PersonName?
    /// Whether Apple's page sent a name that could not be read: ask the person for it.
    public let isNameUnreadable: Bool
    /// The redirect address of the sign-in, which Apple asks for again with the code.
    public let redirectURI: String
    /// The nonce of the sign-in; no other sign-in has it.
    public let nonce: String
}
