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

/// A nonce that a sign-in uses up, and what the store must know of it.
public struct NonceUse: Hashable, Sendable {
    /// Where the nonce has to come from.
    public enum Origin: Hashable, Sendable {
        /// The server gave it out; any other is refused.
        case server
        /// The server or the app itself; one that the server knows is still used only once.
        case serverOrApp
        /// A web sign-in; the store sees it for the first time when it is used.
        case webSignIn
    }

    /// The nonce's hash.
    public let hash: SecretHash
    /// Where it has to come from.
    public let origin: Origin

    /// Names a nonce and its origin.
    public init(hash: SecretHash, origin: Origin) {
        self.hash = hash
        self.origin = origin
    }
}
