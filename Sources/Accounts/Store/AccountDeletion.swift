import Foundation

/// An account's deletion, asked for in one of its sessions.
public struct AccountDeletion: Hashable, Sendable {
    /// The account.
    public let account: AccountID
    /// The session that asks; it has to be alive still.
    public let session: SessionID
    /// The earliest sign-in that counts as fresh.
    public let signedInSince: Date
    /// The time.
    public let now: Date

    /// Makes a deletion.
    public init(account: AccountID, session: SessionID, signedInSince: Date, now: Date) {
        self.account = account
        self.session = session
        self.signedInSince = signedInSince
        self.now = now
    }
}
