import Foundation

/// One signed-in device or browser.
public struct Session: Hashable, Sendable {
    /// The session's public name.
    public let id: SessionID
    /// Whose session it is.
    public let accountID: AccountID
    /// What the client calls itself.
    public let device: String
    /// When the session began.
    public let createdAt: Date
    /// When the person last proved who they are in this session.
    public let signedInAt: Date
    /// When the session was last used, at most a minute late.
    public let lastUsedAt: Date
    /// When it ends if it is not used again: the earlier of the idle and the absolute limit.
    public let expiresAt: Date

    /// Makes a session's description.
    public init(
        id: SessionID,
        accountID: AccountID,
        device: String,
        createdAt: Date,
        signedInAt: Date,
        lastUsedAt: Date,
        expiresAt: Date
    ) {
        self.id = id
        self.accountID = accountID
        self.device = device
        self.createdAt = createdAt
        self.signedInAt = signedInAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
    }
}
