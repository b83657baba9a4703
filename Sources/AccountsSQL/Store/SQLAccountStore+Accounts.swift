import Accounts
import AppleIdentity
import Foundation

extension SQLAccountStore {
    package func account(_ id: AccountID) async throws(AccountStoreError) -> Account? {
        try await database.read { $0.account(.id(id)) }
    }

    package func rename(
        _ account: AccountID,
        _ change: NameChange
    ) async throws(AccountStoreError) -> Result<Account, AccountsError> {
        try await database.decide {
            $0.account(.id(account)).map { AccountRules.rename($0, change) }
        }
    }

    package func change(
        _ change: AccountChange
    ) async throws(AccountStoreError) -> AccountChangeOutcome {
        try await database.decide { $0.facts(of: change).map(change.decision(given:)) }
    }

    package func deleteAccount(
        _ deletion: AccountDeletion
    ) async throws(AccountStoreError) -> AccountDeletionOutcome {
        try await database.decide { $0.facts(of: deletion).map(deletion.decision(given:)) }
    }

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
            let transfer = question.transferState(of: key)
            let audit = question.auditEntries(.export(of: account))
            return Fact { answers in
                guard let found = try answers[found] else { return nil }
                return AccountExport(
                    account: found,
                    sessions: try answers[sessions],
                    passwordChangedAt: try answers[password]?.changedAt,
                    refreshTokens: try answers[tokens],
                    mailTokens: try answers[links].compactMap(\.self),
                    waitingMail: try answers[mail],
                    transfer: try answers[transfer]?.transfer,
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
        let recorded = auditEntry(of: deletion.audit)
        return Fact { answers in
            var facts = AccountDeletionFacts.empty
            facts.account = try answers[account]
            facts.session = try answers[session]
            facts.refreshTokens = try answers[tokens]
            facts.recorded = try answers[recorded]
            return facts
        }
    }

    fileprivate mutating func mailTokens(of account: AccountID, now: Date) -> Fact<[MailToken?]> {
        list(
            """
            SELECT \(MailTokenRow.columns) FROM mail_tokens
            WHERE account_id = $1 AND expires_at > $2 ORDER BY expires_at
            """,
            [.text(account.rawValue), .date(now)]
        ) { try MailTokenRow.read($0) }
    }

    fileprivate mutating func waitingMail(of account: AccountID) -> Fact<[Date]> {
        list(
            "SELECT created_at FROM outbox WHERE person_hash = $1 ORDER BY created_at",
            [.bytes(account.mailHash.bytes)]
        ) { try $0.date(0) }
    }
}
