import Foundation

package struct AccountDeletion: Hashable, Sendable {
    /// The requester of the deletion.
    package enum Asker: Hashable, Sendable {
        /// The user, with an active session whose sign-in is not older than the given time.
        case person(SessionID, signedInSince: Date)
        case administrator
    }

    package let account: AccountID
    package let asker: Asker
    /// The identifier with which those of the outbox entries start.
    package let entryID: OutboxID
    /// The last mail to the user.
    package let mail: QueuedMail?
    /// The context of the audit log entry.
    package var audit: AuditContext?
    package let now: Date

    package init(
        account: AccountID,
        session: SessionID,
        signedInSince: Date,
        entryID: OutboxID,
        mail: QueuedMail? = nil,
        now: Date
    ) {
        self.account = account
        asker = .person(session, signedInSince: signedInSince.inWholeMicroseconds)
        self.entryID = entryID
        self.mail = mail
        self.now = now.inWholeMicroseconds
    }

    package init(account: AccountID, entryID: OutboxID, mail: QueuedMail? = nil, now: Date) {
        self.account = account
        asker = .administrator
        self.entryID = entryID
        self.mail = mail
        self.now = now.inWholeMicroseconds
    }

    /// The requesting session; nil for an administrator.
    package var session: SessionID? {
        switch asker {
        case .person(let session, _): session
        case .administrator: nil
        }
    }
}

/// The number of queued revocations, or the refusal.
package typealias AccountDeletionOutcome = Result<Int, AccountsError>
