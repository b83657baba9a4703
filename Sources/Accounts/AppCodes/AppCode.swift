import AppleIdentity
import Foundation

/// The code by which an app comes back from a browser in which its person has signed in, as a store keeps it.
///
/// The app gets it at its redirect address, and exchanges it for a session of its own. It is good for one
/// attempt, whatever comes of it: with PKCE, an attempt that fails was somebody else's.
///
/// Source: [RFC 6749, section 4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1) and
/// [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)
public struct AppCode: Hashable, Sendable {
    /// The hash of the code.
    public let hash: SecretHash
    /// Whose session it opens.
    public let account: AccountID
    /// The browser's session that confirmed; the code ends with it.
    public let session: SessionID
    /// The app it was given to.
    public let binding: AppCodeBinding
    /// Until when it may be exchanged.
    public let expiresAt: Date

    /// Describes a code.
    ///
    /// - Parameters:
    ///   - hash: the hash of the code.
    ///   - account: whose session it opens.
    ///   - session: the browser's session that confirmed.
    ///   - binding: the app it was given to.
    ///   - expiresAt: until when it may be exchanged.
    public init(
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
public struct AppCodeBinding: Hashable, Sendable {
    /// The app.
    public let clientID: ClientID
    /// Where the code was sent.
    public let redirectURI: String
    /// The S256 challenge: SHA-256 of the verifier in base64url.
    public let challenge: String

    /// Describes a binding.
    ///
    /// - Parameters:
    ///   - clientID: the app.
    ///   - redirectURI: where the code is sent.
    ///   - challenge: the S256 challenge.
    public init(clientID: ClientID, redirectURI: String, challenge: String) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.challenge = challenge
    }
}

/// A code about to be given out.
public struct AppCodeIssue: Hashable, Sendable {
    /// The code.
    public let code: AppCode
    /// How many codes of one account may wait; one more takes the place of all.
    public let maximumCount: Int
    /// The time.
    public let now: Date

    /// Describes an issue.
    ///
    /// - Parameters:
    ///   - code: the code.
    ///   - maximumCount: how many codes of one account may wait.
    ///   - now: the time.
    public init(code: AppCode, maximumCount: Int, now: Date) {
        self.code = code
        self.maximumCount = maximumCount
        self.now = now.inWholeMicroseconds
    }
}

/// A code about to be exchanged for a session.
public struct AppCodeRedemption: Hashable, Sendable {
    /// The hash of the code.
    public let hash: SecretHash
    /// What the app proved: its name, its redirect address, and the challenge of the verifier it sent.
    public let binding: AppCodeBinding
    /// The session to open.
    public let opening: SessionOpening
    /// What failed attempts are counted by.
    public let throttles: [ThrottleUse]

    /// Describes an exchange.
    ///
    /// - Parameters:
    ///   - hash: the hash of the code.
    ///   - binding: what the app proved.
    ///   - opening: the session to open.
    ///   - throttles: what failed attempts are counted by.
    public init(
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
public enum AppCodeOutcome: Hashable, Sendable {
    /// There is a session now.
    case signedIn(SignedInSession)
    /// The code opens nothing, and is used up.
    case refused(AppCodeRefusal)
    /// Nothing is looked at for so many seconds.
    case wait(seconds: Int)
}

/// Why a code opens nothing; for the operator's log, all are one to whoever tries.
public enum AppCodeRefusal: String, CaseIterable, Hashable, Sendable {
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
