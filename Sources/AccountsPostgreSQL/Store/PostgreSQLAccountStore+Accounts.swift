import Accounts
import AppleIdentity
import Foundation

extension PostgreSQLAccountStore {
    /// Looks up an account.
    package func account(_ id: AccountID) async throws(AccountStoreError) -> Account? {
        try await database.read { $0.account(.id(id)) }
    }

    /// Changes an account's name.
    package func rename(
        _ account: AccountID,
        to name: AccountName?
    ) async throws(AccountStoreError) -> Account? {
        try await database.decide { question in
            let found = question.account(.id(account))
            return { answers throws(AccountStoreError) in
                AccountRules.rename(try answers[found], to: name)
            }
        }
    }

    /// Changes how an account is opened or where its mail goes.
    package func change(
        _ change: AccountChange
    ) async throws(AccountStoreError) -> AccountChangeOutcome {
        try await database.decide { question in
            let facts = question.facts(of: change)
            return { answers throws(AccountStoreError) in
                change.decision(given: try answers[facts])
            }
        }
    }

    /// Deletes an account and queues a revocation for each of its refresh tokens.
    package func deleteAccount(
        _ deletion: AccountDeletion
    ) async throws(AccountStoreError) -> AccountDeletionOutcome {
        try await database.decide(guessing: { question in
            let facts = question.facts(of: deletion)
            return { answers throws(AccountStoreError) in
                let facts = try answers[facts]
                return facts.account == nil ? nil : deletion.decision(given: facts)
            }
        }) { question in
            let facts = question.facts(of: deletion)
            let recorded = question.auditEntry(of: deletion.audit)
            return { answers throws(AccountStoreError) in
                var facts = try answers[facts]
                facts.recorded = try answers[recorded]
                return deletion.decision(given: facts)
            }
        }
    }

    /// Collects all that is kept about an account.
    package func export(
        _ account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> AccountExport? {
        try await database.read { question in
            let key = AccountKey.id(account)
            let found = question.account(key)
            let sessions = question.liveSessions(of: account, now: now)
            let password = question.password(of: key)
            let tokens = question.refreshTokens(of: key)
            let links = question.mailTokens(of: account, now: now)
            let mail = question.waitingMail(of: account)
            let audit = question.auditEntries(.export(of: account))
            return Fact { answers throws(AccountStoreError) in
                guard let found = try answers[found] else { return nil }
                return AccountExport(
                    account: found,
                    sessions: try answers[sessions],
                    passwordChangedAt: try answers[password]?.changedAt,
                    refreshTokens: try answers[tokens],
                    mailTokens: try answers[links].compactMap(\.self),
                    waitingMail: try answers[mail],
                    auditEntries: try answers[audit]
                )
            }
        }
    }
}

extension Question {
    fileprivate mutating func facts(of deletion: AccountDeletion) -> Fact<AccountDeletionFacts> {
        let key = AccountKey.id(deletion.account)
        let account = account(key)
        let session = deletion.session.map { liveSession(named: $0, now: deletion.now) }
        let tokens = refreshTokens(of: key)
        return Fact { answers throws(AccountStoreError) in
            AccountDeletionFacts(
                account: try answers[account],
                session: try answers[session],
                refreshTokens: try answers[tokens]
            )
        }
    }

    fileprivate mutating func mailTokens(of account: AccountID, now: Date) -> Fact<[MailToken?]> {
        list(
            """
            SELECT \(MailTokenRow.columns) FROM mail_tokens
            WHERE account_id = $1 AND \(Self.isLater("expires_at", than: "$2")) ORDER BY expires_at
            """,
            [.text(account.rawValue), .integer(now.microseconds)]
        ) { row throws(AccountStoreError) in try MailTokenRow.read(row) }
    }

    fileprivate mutating func waitingMail(of account: AccountID) -> Fact<[Date]> {
        list(
            """
            SELECT created_at FROM outbox WHERE person_hash = $1 AND kind = $2
            ORDER BY created_at
            """,
            [.bytes(account.mailHash.bytes), .text(OutboxTask.Kind.mail.rawValue)]
        ) { row throws(AccountStoreError) in try row.date(0) }
    }
}
