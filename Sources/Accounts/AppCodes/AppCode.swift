import AppleIdentity
import Foundation

/// The code by which an app comes back from a browser in which its person has signed in, as a store keeps it.
///
/// The app gets it at its redirect address, and exchanges it for a session of its own. It is good for one
/// attempt, whatever comes of it: with PKCE, an attempt that fails was somebody else's.
///
/// Source: [RFC 6749, section 4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1) and
/// [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)
package struct AppCode: Hashable, Sendable {
    package let hash: SecretHash
    /// Whose session it opens.
    package let account: AccountID
    /// The browser's session that confirmed; the code ends with it.
    package let session: SessionID
    /// The app it was given to.
    package let binding: AppCodeBinding
    /// Until when it may be exchanged.
    package let expiresAt: Date

    package init(
        hash: SecretHash,
        account: AccountID,
        session: SessionID,
        binding: AppCodeBinding,
        expiresAt: Date
    ) {
        self.hash = hash
        self.account = account
        self.session = session
        self.binding = binding
        self.expiresAt = expiresAt.inWholeMicroseconds
    }
}

/// What a code is bound to; the app has to prove all of it when it exchanges the code.
package struct AppCodeBinding: Hashable, Sendable {
    package let clientID: ClientID
    /// Where the code was sent.
    package let redirectURI: String
    /// The S256 challenge: SHA-256 of the verifier in base64url.
    package let challenge: String

    package init(clientID: ClientID, redirectURI: String, challenge: String) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.challenge = challenge
    }
}

/// A code about to be given out.
package struct AppCodeIssue: Hashable, Sendable {
    package let code: AppCode
    /// How many codes of one account may wait; one more takes the place of all.
    package let maximumCount: Int
    package let now: Date

    package init(code: AppCode, maximumCount: Int, now: Date) {
        self.code = code
        self.maximumCount = maximumCount
        self.now = now.inWholeMicroseconds
    }
}

/// A code about to be exchanged for a session.
package struct AppCodeRedemption: Hashable, Sendable {
    package let hash: SecretHash
    /// What the app proved: its name, its redirect address, and the challenge of the verifier it sent.
    package let binding: AppCodeBinding
    package let opening: SessionOpening
    /// What failed attempts are counted by.
    package let throttles: [ThrottleUse]

    package init(
        hash: SecretHash,
        binding: AppCodeBinding,
        opening: SessionOpening,
        throttles: [ThrottleUse] = []
    ) {
        self.hash = hash
        self.binding = binding
        self.opening = opening
        self.throttles = throttles
    }
}

/// How an exchange ended.
package enum AppCodeOutcome: Hashable, Sendable {
    /// There is a session now.
    case signedIn(SignedInSession)
    /// The code opens nothing, and is used up.
    case refused(AppCodeRefusal)
    /// Nothing is looked at for so many seconds.
    case wait(seconds: Int)
}

/// Why a code opens nothing; for the operator's log, all are one to whoever tries.
package enum AppCodeRefusal: String, CaseIterable, Hashable, Sendable {
    /// There is no such code: used, ended with its account, or never given out.
    case unknown
    /// It was given out too long ago.
    case expired
    /// It was given to another app.
    case otherClient
    /// It was sent to another address.
    case otherRedirectURI
    /// The verifier is not that of the challenge.
    case wrongVerifier
    /// The session that confirmed has ended.
    case sessionEnded
}
