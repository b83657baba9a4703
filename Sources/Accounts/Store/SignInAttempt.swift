import AppleIdentity
import Foundation

/// A sign-in whose identity token has been verified and whose code has not been spent.
public struct SignInAttempt: Sendable {
    /// Who issued the identity: the first half of the account's key.
    public let issuer: String
    /// The person: the second half of the account's key.
    public let user: UserID
    /// The name that came along; kept until the sign-in completes.
    public let name: String?
    /// The identity token's hash.
    public let tokenHash: SecretHash
    /// When the identity token was issued, by Apple's clock: the person agreed then.
    public let issuedAt: Date
    /// The nonce that will be used up.
    public let nonce: NonceUse?
    /// The time.
    public let now: Date

    /// Makes an attempt.
    public init(
        issuer: String,
        user: UserID,
        name: String?,
        tokenHash: SecretHash,
        issuedAt: Date,
        nonce: NonceUse?,
        now: Date
    ) {
        self.issuer = issuer
        self.user = user
        self.name = name
        self.tokenHash = tokenHash
        self.issuedAt = issuedAt
        self.nonce = nonce
        self.now = now
    }
}

/// Everything a completed sign-in leaves behind.
public struct SignInCompletion: Sendable {
    /// The sign-in as it began.
    public let attempt: SignInAttempt
    /// The client that was signed in to.
    public let clientID: ClientID
    /// The address in the token; nil leaves the account's address as it is.
    public let email: EmailAddress?
    /// Until when the identity token's use must be remembered.
    public let tokenExpiresAt: Date
    /// The account to make when the person has none.
    public let newAccountID: AccountID
    /// The session to make.
    public let session: NewSession
    /// The session that the same client had; it ends.
    public let previousTokenHash: SecretHash?
    /// How many sessions the account may have.
    public let maximumSessionCount: Int
    /// Seals Apple's refresh token for the account that was found or made; nil when there is none.
    public let sealRefreshToken: (@Sendable (AccountID) throws -> String)?

    /// Makes a completion.
    public init(
        attempt: SignInAttempt,
        clientID: ClientID,
        email: EmailAddress?,
        tokenExpiresAt: Date,
        newAccountID: AccountID,
        session: NewSession,
        previousTokenHash: SecretHash?,
        maximumSessionCount: Int,
        sealRefreshToken: (@Sendable (AccountID) throws -> String)?
    ) {
        self.attempt = attempt
        self.clientID = clientID
        self.email = email
        self.tokenExpiresAt = tokenExpiresAt
        self.newAccountID = newAccountID
        self.session = session
        self.previousTokenHash = previousTokenHash
        self.maximumSessionCount = maximumSessionCount
        self.sealRefreshToken = sealRefreshToken
    }
}

/// How the last step of a sign-in ended.
public enum SignInOutcome: Sendable {
    /// There is a session now.
    case signedIn(SignedInSession, isNewAccount: Bool)
    /// Nothing has changed.
    case refused(SignInRefusal)
}

/// Why the store refuses a sign-in.
public enum SignInRefusal: Hashable, Sendable {
    /// The identity token has been used.
    case tokenReplayed
    /// The person's consent ended after the identity token was issued.
    case consentRevoked
    /// The server has not given out the nonce.
    case nonceUnknown
    /// The nonce has been used.
    case nonceUsed
    /// The nonce's time is over.
    case nonceExpired
}

/// A session about to be made.
public struct NewSession: Hashable, Sendable {
    /// The session's public name.
    public let id: SessionID
    /// The hash of its token.
    public let tokenHash: SecretHash
    /// What the client calls itself.
    public let device: String
    /// When it ends if it is not used.
    public let expiresAt: Date

    /// Makes a session's description.
    public init(id: SessionID, tokenHash: SecretHash, device: String, expiresAt: Date) {
        self.id = id
        self.tokenHash = tokenHash
        self.device = device
        self.expiresAt = expiresAt
    }
}

/// An address as an identity token tells it.
public struct EmailAddress: Hashable, Sendable {
    /// The address.
    public let text: String
    /// Whether Apple says that it belongs to the person.
    public let isVerified: Bool
    /// Whether it is one of Apple's relay.
    public let isPrivateRelay: Bool

    /// Makes an address's description.
    public init(text: String, isVerified: Bool, isPrivateRelay: Bool) {
        self.text = text
        self.isVerified = isVerified
        self.isPrivateRelay = isPrivateRelay
    }
}
