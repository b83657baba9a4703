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
