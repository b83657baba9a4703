import AppleIdentity
import Foundation

/// The authorization code that an app gets after its user has signed in with a browser, as a store keeps it.
///
/// The app receives it at its redirect URI and exchanges it for a session of its own. It is valid for one attempt,
/// even a failed one: with PKCE, an attempt that fails was not the app's.
///
/// Source: [RFC 6749, section 4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1) and
/// [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)
package struct AppCode: Hashable, Sendable {
    package internal(set) var hash: SecretHash
    /// The account that the code signs in to.
    package internal(set) var account: AccountID
    /// The browser session that confirmed; the code is valid as long as the session.
    package internal(set) var session: SessionID
    /// The app that the code was issued to.
    package internal(set) var binding: AppCodeBinding
    package internal(set) var expiresAt: Date
}

/// The values that a code is bound to; the app proves all of them when it exchanges the code.
package struct AppCodeBinding: Hashable, Sendable {
    package internal(set) var clientID: ClientID
    /// The redirect URI that the code was sent to.
    package internal(set) var redirectURI: String
    /// The S256 challenge: SHA-256 of the verifier in base64url.
    package internal(set) var challenge: String

    package init(clientID: ClientID, redirectURI: String, challenge: String) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.challenge = challenge
    }
}

/// A request to store a new code.
package struct AppCodeIssue: Hashable, Sendable {
    package let code: AppCode
    /// The maximum number of unused codes of an account; one more replaces all of them.
    package let maximumCount: Int
    package let now: Date
}

/// A request to exchange a code for a session.
package struct AppCodeRedemption: Hashable, Sendable {
    package let hash: SecretHash
    /// The values that the app proved: its client ID, its redirect URI, and the challenge of its verifier.
    package let binding: AppCodeBinding
    package let opening: SessionOpening
    /// The throttles that count failed attempts.
    package var throttles: [ThrottleUse] = []
}

/// Why a code was refused; the log shows the reason, the response does not.
package enum AppCodeRefusal: String, CaseIterable, Hashable, Sendable {
    /// There is no such code: it was used, deleted with its account, or never issued.
    case unknown
    /// The code has expired.
    case expired
    /// The code was issued to another app.
    case otherClient
    /// The code was sent to another redirect URI.
    case otherRedirectURI
    /// The verifier does not match the challenge.
    case wrongVerifier
    /// The browser session that confirmed has ended.
    case sessionEnded
}
