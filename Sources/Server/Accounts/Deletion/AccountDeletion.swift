import Foundation

/// A deletion of an account by its user or by an administrator.
package struct AccountDeletion: Hashable, Sendable {
    package let account: AccountID
    /// The requesting session, which needs a recent sign-in; nil for an administrator.
    package var caller: AccountChange.Caller?
    /// The identifier with which those of the outbox entries start.
    package let entryID: OutboxID
    /// The last mail to the user.
    package var mail: QueuedMail?
    /// The context of the audit log entry.
    package var audit: AuditContext?
    package let now: Date
}

/// The number of queued revocations, or the refusal.
package typealias AccountDeletionOutcome = Result<Int, AccountsError>

/// The facts that decide a deletion.
package struct AccountDeletionFacts: Hashable, Sendable {
    /// The account; nil when it is already deleted.
    package var account: Account?
    /// The requesting session, when it has not expired.
    package var session: Session?
    package var refreshTokens: [RefreshToken] = []
    /// The number of revocations that this same deletion queued before; nil if it was not made before.
    package var earlierCount: Int?
}

extension AccountDeletion {
    /// Decides a deletion: queues a revocation for each token and deletes the account.
    ///
    /// Deleting a deleted account is not an error. A deletion whose result was lost returns the same result again.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the outcome and its writes.
    package func decision(given facts: AccountDeletionFacts) -> Decision<AccountDeletionOutcome> {
        guard let account = facts.account else {
            return Decision(.success(facts.earlierCount ?? 0))
        }
        return Decision { () throws(AccountsError) in
            try caller?.check(facts.session)
            let last = mail?.entry(to: account)
            let entries = facts.refreshTokens.revocations(
                entryID,
                of: account.apple?.person,
                after: account.relayed(last),
                at: now
            )
            return Decision(.success(entries.count), writes(deleting: account, entries, last))
        }
    }

    private func writes(
        deleting account: Account,
        _ revocations: [OutboxEntry],
        _ last: OutboxEntry?
    ) -> [StoreWrite] {
        let consent = account.apple.map { apple -> [StoreWrite] in
            [.forgetName(of: apple.person), apple.person.consentEnded(by: entryID, at: now)]
        }
        return revocations.map { .enqueue($0) } + (consent ?? [])
            // Queued mail is about a deleted account now, except for the last one.
            + [.removeMail(of: account.id), .removeAccount(account.id)]
            + audit.writes(
                .accountDeleted,
                of: account.id,
                session: caller?.session,
                detail: "\(revocations.count)"
            )
            + [last.map { .enqueue($0) }].compactMap(\.self)
    }
}
