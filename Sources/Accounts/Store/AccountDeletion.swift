import Foundation

package struct AccountDeletion: Hashable, Sendable {
    /// Who asks for it.
    package enum Asker: Hashable, Sendable {
        /// The person, in a session that has to be alive still and whose sign-in is not older than that.
        case person(SessionID, signedInSince: Date)
        /// Whoever administers the server.
        case administrator
    }

    package let account: AccountID
    /// Who asks.
    package let asker: Asker
    /// What the names of the outbox entries begin with.
    package let entryID: OutboxID
    /// The last mail to the person.
    package let notice: MailNotice?
    /// Who asks, for the audit log.
    package var audit: AuditContext?
    package let now: Date

    package init(
        account: AccountID,
        session: SessionID,
        signedInSince: Date,
        entryID: OutboxID,
        notice: MailNotice? = nil,
        now: Date
    ) {
        self.account = account
        asker = .person(session, signedInSince: signedInSince.inWholeMicroseconds)
        self.entryID = entryID
        self.notice = notice
        self.now = now.inWholeMicroseconds
    }

    package init(account: AccountID, entryID: OutboxID, notice: MailNotice? = nil, now: Date) {
        self.account = account
        asker = .administrator
        self.entryID = entryID
        self.notice = notice
        self.now = now.inWholeMicroseconds
    }

    /// The session that asks; nil when it is an administrator.
    package var session: SessionID? {
        switch asker {
        case .person(let session, _): session
        case .administrator: nil
        }
    }
}

/// What came of a deletion.
package enum AccountDeletionOutcome: Hashable, Sendable {
    /// The account is gone; so many revocations wait in the outbox.
    case deleted(revocationCount: Int)
    /// The session has ended, or never belonged to the account; nothing has changed.
    case sessionEnded
    /// The session's sign-in is too old; nothing has changed.
    case signInTooOld
}
