import AppleIdentity
import Foundation

extension AccountStore {
    /// Looks up an account.
    package func account(_ id: AccountID) async throws(AccountStoreError) -> Account? {
        try await database.read { $0.account(.id(id)) }
    }

    /// Changes an account's sign-in methods or email address, by the rule of `AccountChange`; returns the changed
    /// account or the refusal.
    package func change(
        _ change: AccountChange
    ) async throws(AccountStoreError) -> AccountChangeOutcome {
        try await database.decide { $0.facts(of: change).map(change.decision(given:)) }
    }

    /// Deletes an account with its identities and sessions, and queues a revocation for each token.
    package func deleteAccount(
        _ deletion: AccountDeletion
    ) async throws(AccountStoreError) -> AccountDeletionOutcome {
        try await database.decide { $0.facts(of: deletion).map(deletion.decision(given:)) }
    }

    /// Returns all data kept about an account; nil when there is no such account.
    package func export(
        _ account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> AccountExport? {
        try await database.read { query in
            let key = AccountKey.id(account)
            let found = query.account(key)
            let sessions = query.liveSessions(of: account, now: now)
            let password = query.password(of: key)
            let tokens = query.refreshTokens(of: key)
            let links = query.mailTokens(of: account, now: now)
            let mail = query.waitingMail(of: account)
            let transfer = query.transferState(of: key)
            let audit = query.auditEntries(.export(of: account))
            return QueryResult { results in
                guard let found = try results[found] else { return nil }
                return AccountExport(
                    account: found,
                    sessions: try results[sessions],
                    passwordChangedAt: try results[password]?.changedAt,
                    refreshTokens: try results[tokens],
                    mailTokens: try results[links],
                    waitingMail: try results[mail],
                    transfer: try results[transfer]?.transfer,
                    auditEntries: try results[audit]
                )
            }
        }
    }
}

extension Query {
    fileprivate mutating func facts(of deletion: AccountDeletion) -> QueryResult<
        AccountDeletionFacts
    > {
        let key = AccountKey.id(deletion.account)
        let account = account(key)
        let session = deletion.caller.map { liveSession(named: $0.session, now: deletion.now) }
        let tokens = refreshTokens(of: key)
        let recorded = auditEntry(of: deletion.audit)
        return QueryResult { results in
            var facts = AccountDeletionFacts()
            facts.account = try results[account]
            facts.session = try results[session]
            facts.refreshTokens = try results[tokens]
            facts.earlierCount = try results[recorded]?.count
            return facts
        }
    }

    fileprivate mutating func mailTokens(of account: AccountID, now: Date) -> QueryResult<
        [MailToken]
    > {
        list(
            Tables.mailTokens.selection,
            """
            WHERE account_id = $1 AND expires_at > $2 AND \(MailToken.isKnown)
            ORDER BY expires_at
            """,
            [.text(account.rawValue), .date(now)]
        )
    }

    fileprivate mutating func waitingMail(of account: AccountID) -> QueryResult<[Date]> {
        list(
            "SELECT created_at FROM outbox WHERE person_hash = $1 ORDER BY created_at",
            [.bytes(account.mailHash.bytes)]
        ) { try $0.date(0) }
    }
}
