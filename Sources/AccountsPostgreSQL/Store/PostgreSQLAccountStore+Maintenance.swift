import Accounts
import AppleIdentity
import Foundation

extension PostgreSQLAccountStore {
    /// Finds out whether the database can be written to.
    package func checkWriting(now: Date) async throws(AccountStoreError) {
        let rows = try await database.run(
            "UPDATE store_state SET checked_at = $1 WHERE id = 1",
            [.integer(now.microseconds)]
        )
        guard rows.affectedCount == 1 else {
            throw AccountStoreError(.failed, hint: "the table store_state has lost its row")
        }
    }

    /// Forgets what has expired; rows that somebody is about to change wait for the next time.
    package func forgetExpired(
        now: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int {
        var count = 0
        for table in Self.expiring {
            let limit = now.addingTimeInterval(-table.memory).microseconds
            count += try await database.run(
                """
                DELETE FROM \(table.name) WHERE (\(table.key)) IN (
                    SELECT \(table.key) FROM \(table.name) WHERE \(table.time) <= $1
                    LIMIT $2 FOR UPDATE SKIP LOCKED
                )
                """,
                [.integer(limit), .count(maximumCount)]
            )
            .affectedCount
        }
        return count
    }

    /// Does nothing: deleted rows and the log are the server's, whose vacuum and checkpoints remove them.
    package func wipeTraces() async throws(AccountStoreError) {}

    private struct ExpiringTable: Sendable {
        let name: String
        let key: String
        let time: String
        var memory: TimeInterval = 0
    }

    private static let expiring = [
        ExpiringTable(name: "sessions", key: "token_hash", time: "expires_at"),
        ExpiringTable(name: "used_once", key: "hash", time: "remembered_until"),
        ExpiringTable(name: "throttles", key: "key", time: "expires_at"),
        ExpiringTable(name: "mail_tokens", key: "hash", time: "expires_at"),
        ExpiringTable(name: "app_codes", key: "hash", time: "expires_at"),
        ExpiringTable(name: "apple_events", key: "notification_hash", time: "remembered_until"),
        ExpiringTable(
            name: "pending_names",
            key: "issuer, subject",
            time: "created_at",
            memory: SignInAttempt.pendingNameMemory
        ),
    ]
}

extension PostgreSQLAccountStore {
    /// Lists accounts in the order of their identifiers.
    package func accounts(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [Account] {
        try await database.read { question in
            let accounts = question.list(
                """
                SELECT \(AccountRow.columns) FROM \(AccountRow.tables)
                WHERE accounts.id > $1 ORDER BY accounts.id LIMIT $2
                """,
                [.text(after?.rawValue ?? ""), .count(maximumCount)]
            ) { row throws(AccountStoreError) in try AccountRow.read(row) }
            return Fact { answers throws(AccountStoreError) in
                try answers[accounts].compactMap(\.self)
            }
        }
    }

    /// Seals some secrets again.
    package func reseal(_ batch: ResealingBatch) async throws(AccountStoreError) -> ResealingStep {
        try await database.decide { question in
            let tokens = question.sealedTokens(batch)
            let entries = question.sealedEntries(batch)
            return { answers throws(AccountStoreError) in
                var values = try answers[entries]
                if let tokens { values = try answers[tokens] + values }
                return batch.decision(given: Array(values.prefix(batch.maximumCount)))
            }
        }
    }
}

extension Question {
    /// Nil when the refresh tokens are done.
    fileprivate mutating func sealedTokens(_ batch: ResealingBatch) -> Fact<[SealedValue]>? {
        let key: (account: String, client: String)
        switch batch.after {
        case nil: key = ("", "")
        case .refreshToken(let account, let client): key = (account.rawValue, client.rawValue)
        case .entry: return nil
        }
        return list(
            """
            SELECT \(RefreshTokenRow.columns), account_id FROM apple_refresh_tokens
            WHERE (account_id, client_id) > ($1, $2) ORDER BY account_id, client_id LIMIT $3
            """,
            [.text(key.account), .text(key.client), .count(batch.maximumCount)]
        ) { row throws(AccountStoreError) in
            .refreshToken(
                try RefreshTokenRow.read(row),
                of: AccountID(rawValue: try row.text(4))
            )
        }
    }

    fileprivate mutating func sealedEntries(_ batch: ResealingBatch) -> Fact<[SealedValue]> {
        var id = ""
        if case .entry(let entry) = batch.after { id = entry.rawValue }
        return list(
            "SELECT \(OutboxRow.columns) FROM outbox WHERE id > $1 ORDER BY id LIMIT $2",
            [.text(id), .count(batch.maximumCount)]
        ) { row throws(AccountStoreError) in
            guard let entry = try? OutboxRow.read(row) else {
                return .unreadableEntry(try OutboxRow.id(row))
            }
            return .entry(entry.id, entry.task)
        }
    }
}
