import Foundation

/// A nonce the server gave out, as the store keeps it.
public struct IssuedNonce: Sendable {
    /// The nonce's hash.
    public let hash: SecretHash
    /// When it was given out.
    public let issuedAt: Date
    /// Until when it may be used.
    public let expiresAt: Date
    /// How many nonces may be stored at once.
    public let maximumStoredCount: Int

    /// Makes the store's view of a nonce.
    public init(hash: SecretHash, issuedAt: Date, expiresAt: Date, maximumStoredCount: Int) {
        self.hash = hash
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.maximumStoredCount = maximumStoredCount
    }
}
