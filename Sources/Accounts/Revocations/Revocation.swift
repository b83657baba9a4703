import AppleIdentity
import Foundation

/// An entry of the outbox: one refresh token that Apple has yet to revoke.
public struct Revocation: Hashable, Sendable {
    /// The entry's name.
    public let id: RevocationID
    /// The account it belonged to; the account itself is gone.
    public let accountID: AccountID
    /// The client the token was issued to.
    public let clientID: ClientID
    /// The token, sealed for that account and client.
    public let sealedToken: String
    /// When the account was deleted.
    public let createdAt: Date
    /// How many attempts have been made.
    public let attemptCount: Int

    /// Makes an entry's description.
    public init(
        id: RevocationID,
        accountID: AccountID,
        clientID: ClientID,
        sealedToken: String,
        createdAt: Date,
        attemptCount: Int
    ) {
        self.id = id
        self.accountID = accountID
        self.clientID = clientID
        self.sealedToken = sealedToken
        self.createdAt = createdAt
        self.attemptCount = attemptCount
    }
}
