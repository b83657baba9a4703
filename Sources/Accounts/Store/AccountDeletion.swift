import Foundation

/// An account's deletion, asked for in one of its sessions.
public struct AccountDeletion: Hashable, Sendable {
    /// The account.
    public let account: AccountID
    /// The session that asks; it has to be alive still.
    public let session: SessionID
    /// The earliest sign-in that counts as fresh.
    public let signedInSince: Date
    /// What the names of the outbox entries begin with.
    public let entryID: OutboxID
    /// The last mail to the person.
    public let notice: MailNotice?
    /// The time.
    public let now: Date

    /// Makes a deletion.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - session: the session that asks.
    ///   - signedInSince: the earliest sign-in that counts as fresh.
    ///   - entryID: what the names of the outbox entries begin with, random.
    ///   - notice: the last mail to the person.
    ///   - now: the time.
    public init(
        account: AccountID,
        session: SessionID,
        signedInSince: Date,
        entryID: OutboxID,
        notice: MailNotice? = nil,
        now: Date
    ) {
        self.account = account
        self.session = session
        self.signedInSince = signedInSince.inWholeMicroseconds
        self.entryID = entryID
        self.notice = notice
        self.now = now.inWholeMicroseconds
    }
}

/// What came of a deletion.
public enum AccountDeletionOutcome: Hashable, Sendable {
    /// The account is gone; so many revocations wait in the outbox.
    case deleted(revocationCount: Int)
    /// The session has ended, or never belonged to the account; nothing has changed.
    case sessionEnded
    /// The session's sign-in is too old; nothing has changed.
    case signInTooOld
}
