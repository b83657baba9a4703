import AppleIdentity
import Foundation

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
