import Foundation

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
