import AppleIdentity
import Foundation

/// A web sign-in that one browser tab has begun and not finished.
///
/// Store it in a cookie, encrypted with a ``TokenSealer``. Use ``SiteCookies/Reach/everySite``, because Apple's response
/// is posted from another site. If the response comes without the cookie, respond with a ``CallbackForwarding``. The
/// library stores nothing itself.
public struct PendingWebSignIn: Codable, Hashable, Sendable {
    /// The time that the user has at Apple's page: ten minutes.
    package static let lifetime: Duration = .seconds(600)

    /// The Services ID of the sign-in.
    public let clientID: ClientID
    /// The redirect URI, which the exchange of the code needs again.
    public let redirectURI: String
    /// The `state` that Apple's page sends back; it binds the response to this browser.
    public let state: String
    /// The nonce that Apple copies into the identity token; it binds the token to this sign-in.
    public let nonce: String

    /// The code verifier (PKCE), which the exchange of the code needs; nil for a sign-in that an older version began.
    public let codeVerifier: String?

    private static let nonceByteCount = 32

    init(clientID: ClientID, redirectURI: String, now: Date) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        state = WebSignInState(now: now).text
        nonce = SecureRandom.hexadecimal(byteCount: Self.nonceByteCount)
        codeVerifier = CodeVerifier.make()
    }

    /// A short identifier, equal to ``AuthorizationCallback/pendingID``.
    ///
    /// End the cookie's name with it: several tabs can then sign in.
    public var id: String { WebSignInState.id(of: state) }
}

/// The beginning of a web sign-in, as ``AppleSignIn/beginWebSignIn(clientID:redirectURI:scopes:)`` returns it.
public struct WebSignInStart: Sendable {
    /// The URL of Apple's page, to which you redirect the browser.
    public let authorizationURL: URL
    /// What the browser keeps until it comes back, for ``AppleSignIn/finishWebSignIn(_:pending:)``.
    public let pending: PendingWebSignIn
}

extension AuthorizationCallback {
    /// The ``PendingWebSignIn/id`` in the posted state; nil if this library did not create the state.
    public var pendingID: String? {
        state.flatMap { WebSignInState($0) }.map { WebSignInState.id(of: $0.text) }
    }
}

/// The `state` of a web sign-in: an identifier, its time in seconds, and a secret.
///
/// The identifier finds the cookie; the time only explains a late response. Only the comparison of the
/// whole state with the one in the cookie is trusted.
struct WebSignInState {
    private static let idByteCount = 8
    /// OWASP ASVS 7.2.3 requires 128 bits.
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

/// A verified web sign-in before its code is exchanged.
public struct VerifiedWebSignIn: Sendable {
    /// The verified claims of the identity token.
    public let identity: VerifiedIdentity
    /// The identity token, for servers that store the hashes of used tokens.
    public let identityToken: String
    /// The authorization code; exchange it once, within five minutes, with ``AppleSignIn/exchange(_:)``.
    public let code: String
    /// The name that the user entered at Apple's page, with at most 200 characters and no invisible ones.
    ///
    /// Apple sends it with the first sign-in only. It is not verified.
    public let name: PersonName?
    /// Whether Apple's page sent a name that could not be read: ask the user for it.
    public let isNameUnreadable: Bool
    /// The redirect URI of the sign-in, which the exchange of the code needs again.
    public let redirectURI: String
    /// The code verifier of the sign-in, which the exchange of the code needs; nil for none.
    public let codeVerifier: String?
    /// The nonce, which is unique to this sign-in.
    public let nonce: String
}
