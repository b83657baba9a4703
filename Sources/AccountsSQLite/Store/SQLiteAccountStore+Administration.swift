import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Lists accounts, read in the order in which the file has them.
    package func accounts(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [Account] {
        try await read { database in
            try database.rows(
                """
                SELECT \(AccountRow.columns) FROM \(AccountRow.tables)
                WHERE accounts.id > ? ORDER BY accounts.id LIMIT ?
                """,
                [after?.rawValue ?? "", maximumCount]
            )
            .compactMap { try AccountRow.read($0) }
        }
    }

    /// Seals some secrets again.
    package func reseal(_ batch: ResealingBatch) async throws(AccountStoreError) -> ResealingStep {
        try await writer.decide { database in
            batch.decision(
                given: try database.sealedValues(
                    after: batch.after,
                    maximumCount: batch.maximumCount
                )
            )
        }
    }

    /// Copies the file as it is at the beginning; the writer goes on.
    package func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport {
        do {
            let backup = try SQLiteBackup(of: queue.path, order)
            return try await checkpointer.leavingLog { try await backup.run() }
        } catch {
            throw AccountStoreError(error)
        }
    }
}

extension Database {
    fileprivate func sealedValues(
        after position: ResealingPosition?,
        maximumCount: Int
    ) throws -> [SealedValue] {
        var values: [SealedValue] = []
        var entry: OutboxID?
        switch position {
        case nil: values = try sealedTokens(after: ("", ""), maximumCount: maximumCount)
        case .refreshToken(let account, let client):
            let key = (account.rawValue, client.rawValue)
            values = try sealedTokens(after: key, maximumCount: maximumCount)
        case .entry(let id): entry = id
        }
        guard values.count < maximumCount else { return values }
        return try values + sealedEntries(after: entry, maximumCount: maximumCount - values.count)
    }

    private func sealedTokens(
        after key: (account: String, client: String),
        maximumCount: Int
    ) throws -> [SealedValue] {
        try rows(
            """
            SELECT \(RefreshTokenRow.columns), account_id FROM apple_refresh_tokens
            WHERE (account_id, client_id) > (?, ?) ORDER BY account_id, client_id LIMIT ?
            """,
            [key.account, key.client, maximumCount]
        )
        .map { .refreshToken(RefreshTokenRow.read($0), of: AccountID(rawValue: $0[4])) }
    }

    private func sealedEntries(after id: OutboxID?, maximumCount: Int) throws -> [SealedValue] {
        try rows(
            "SELECT \(OutboxRow.columns) FROM outbox WHERE id > ? ORDER BY id LIMIT ?",
            [id?.rawValue ?? "", maximumCount]
        )
        .map { row in
            guard let entry = try? OutboxRow.read(row) else {
                return .unreadableEntry(OutboxID(rawValue: row[0]))
            }
            return .entry(entry.id, entry.task)
        }
    }
}
