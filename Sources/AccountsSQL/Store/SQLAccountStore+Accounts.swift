import Accounts
import AppleIdentity
import Foundation

extension SQLAccountStore {
    package func account(_ id: AccountID) async throws(AccountStoreError) -> Account? {
        try await database.read { $0.account(.id(id)) }
    }

    /// Returns accounts in the order of their identifiers.
    package func accounts(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [Account] {
        try await database.read { question in
            question.list(
                """
                SELECT \(AccountRow.columns) FROM \(AccountRow.tables)
                WHERE accounts.id > $1 ORDER BY accounts.id LIMIT $2
                """,
                [.text(after?.rawValue ?? ""), .count(maximumCount)]
            ) { try AccountRow.read($0) }
            .map { $0.compactMap(\.self) }
        }
    }

    package func rename(
        _ account: AccountID,
        to name: AccountName?
    ) async throws(AccountStoreError) -> Account? {
        try await database.decide {
            $0.account(.id(account)).map { AccountRules.rename($0, to: name) }
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
                    auditEntries: try answers[audit]
                )
            }
        }
    }

    package func reseal(_ batch: ResealingBatch) async throws(AccountStoreError) -> ResealingStep {
        try await database.decide { question in
            let tokens = question.sealedTokens(batch)
            let entries = question.sealedEntries(batch)
            let keys = question.sealedKeys(batch)
            return Fact { answers in
                var values = try answers[keys]
                if let entries { values = try answers[entries] + values }
                if let tokens { values = try answers[tokens] + values }
                return batch.decision(given: Array(values.prefix(batch.maximumCount)))
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
            AccountDeletionFacts(
                account: try answers[account],
                session: try answers[session],
                refreshTokens: try answers[tokens],
                recorded: try answers[recorded]
            )
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
            """
            SELECT created_at FROM outbox WHERE person_hash = $1 AND kind = $2
            ORDER BY created_at
            """,
            [.bytes(account.mailHash.bytes), .text(OutboxTask.Kind.mail.rawValue)]
        ) { try $0.date(0) }
    }

    /// The next batch of refresh tokens; nil when all of them are resealed.
    fileprivate mutating func sealedTokens(_ batch: ResealingBatch) -> Fact<[SealedValue]>? {
        let key: (account: String, client: String)
        switch batch.after {
        case nil: key = ("", "")
        case .refreshToken(let account, let client): key = (account.rawValue, client.rawValue)
        case .entry, .tokenKey: return nil
        }
        return list(
            """
            SELECT \(RefreshTokenRow.columns), account_id FROM apple_refresh_tokens
            WHERE (account_id, client_id) > ($1, $2) ORDER BY account_id, client_id LIMIT $3
            """,
            [.text(key.account), .text(key.client), .count(batch.maximumCount)]
        ) { .refreshToken(try RefreshTokenRow.read($0), of: AccountID(rawValue: try $0.text(4))) }
    }

    /// The next batch of outbox entries; nil when all of them are resealed.
    fileprivate mutating func sealedEntries(_ batch: ResealingBatch) -> Fact<[SealedValue]>? {
        var id = ""
        if case .tokenKey = batch.after { return nil }
        if case .entry(let entry) = batch.after { id = entry.rawValue }
        return list(
            "SELECT \(OutboxRow.columns) FROM outbox WHERE id > $1 ORDER BY id LIMIT $2",
            [.text(id), .count(batch.maximumCount)]
        ) { row in
            guard let entry = try? OutboxRow.read(row) else {
                return .unreadableEntry(try OutboxRow.id(row))
            }
            return .entry(entry.id, entry.task)
        }
    }

    fileprivate mutating func sealedKeys(_ batch: ResealingBatch) -> Fact<[SealedValue]> {
        var id = ""
        if case .tokenKey(let key) = batch.after { id = key }
        return list(
            "SELECT \(TokenKeyRow.columns) FROM token_keys WHERE id > $1 ORDER BY id LIMIT $2",
            [.text(id), .count(batch.maximumCount)]
        ) { .tokenKey(try TokenKeyRow.read($0)) }
    }
}
