import AppleIdentity
import Foundation

/// How many entries one call may make due.
private let maximumDueRowCount = 1000

extension AccountStore {
    /// Claims due entries for a worker.
    ///
    /// Reads first, because usually no entry is due and no write is needed.
    package func claimEntries(_ claim: OutboxClaim) async throws(AccountStoreError) -> [OutboxEntry]
    {
        let due = """
            outbox WHERE NOT is_refused AND next_attempt_at <= $1
                AND (claimed_until IS NULL OR claimed_until <= $1) AND kind = $2
                AND (waits_for IS NULL OR created_at <= $3 OR NOT EXISTS
                    (SELECT 1 FROM outbox AS other
                        WHERE other.id = outbox.waits_for AND NOT other.is_refused))
            """
        let values: [SQLValue] = [
            .date(claim.now), .text(claim.kind.rawValue), .date(claim.waitEnd),
        ]
        guard try await database.read({ $0.exists(due, values) }) else { return [] }
        let rows = try await database.run(
            """
            WITH due AS (
                SELECT id FROM \(due)
                ORDER BY next_attempt_at LIMIT $6 \(database.dialect.skipLocked)
            )
            UPDATE outbox SET claimed_by = $4, claimed_until = $5
            WHERE id IN (SELECT id FROM due) RETURNING \(Tables.outbox.selection.columns)
            """,
            values + [.text(claim.worker), .date(claim.until), .count(claim.maximumCount)]
        )
        var entries: [OutboxEntry] = []
        for row in rows.rows {
            let stored = try Tables.outbox.selection.read(row)
            if let entry = stored.entry {
                entries.append(entry)
            } else {
                try await setAside(stored.id, worker: claim.worker)
            }
        }
        return entries
    }

    /// Marks an unreadable entry as refused: it does not block the others, and operators still see it.
    private func setAside(_ id: OutboxID, worker: String) async throws(AccountStoreError) {
        try await database.run(
            """
            UPDATE outbox SET is_refused = true, last_error = 'entry_unreadable',
                claimed_by = NULL, claimed_until = NULL
            WHERE id = $1 AND claimed_by = $2
            """,
            [.text(id.rawValue), .text(worker)]
        )
    }

    /// Stores the result of an attempt; ignored when another worker has claimed the entry.
    package func finishEntry(
        _ entry: OutboxID,
        worker: String,
        result: OutboxResult
    ) async throws(AccountStoreError) {
        let key: [SQLValue] = [.text(entry.rawValue), .text(worker)]
        switch result {
        case .done, .expired:
            let deletion = Statement("DELETE FROM outbox WHERE id = $1 AND claimed_by = $2", key)
            _ = try await database.run([deletion]) { _ in [.removeEntries([entry])] }
        case .failed(let code, let nextAttemptAt):
            try await database.run(
                """
                UPDATE outbox SET attempt_count = attempt_count + 1, last_error = $3,
                    next_attempt_at = $4, claimed_by = NULL, claimed_until = NULL
                WHERE id = $1 AND claimed_by = $2
                """,
                key + [.text(code), .date(nextAttemptAt)]
            )
        case .refused(let code):
            try await database.run(
                """
                UPDATE outbox SET attempt_count = attempt_count + 1, last_error = $3,
                    is_refused = true, claimed_by = NULL, claimed_until = NULL
                WHERE id = $1 AND claimed_by = $2
                """,
                key + [.text(code)]
            )
        }
    }

    /// Makes refused entries due again and returns their number.
    package func requeueRefusedEntries(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await database.run(
            """
            UPDATE outbox SET is_refused = false, next_attempt_at = $1
            WHERE is_refused AND kind = $2
            """,
            [.date(now), .text(kind.rawValue)]
        )
        .affectedCount
    }

    /// Makes entries due whose last attempt failed, because the service that they need works again.
    ///
    /// Claimed and refused entries are unchanged.
    ///
    /// - Parameters:
    ///   - kind: the kind of the entries.
    ///   - now: the time.
    /// - Returns: the number of entries; a store may leave some for the next call.
    /// - Throws: `AccountStoreError`.
    package func makeFailedEntriesDue(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await database.run(
            """
            WITH failed AS (
                SELECT id FROM outbox
                WHERE NOT is_refused AND next_attempt_at > $1 AND claimed_by IS NULL AND kind = $2
                ORDER BY next_attempt_at LIMIT $3 \(database.dialect.skipLocked)
            )
            UPDATE outbox SET next_attempt_at = $1 WHERE id IN (SELECT id FROM failed)
            """,
            [.date(now), .text(kind.rawValue), .count(maximumDueRowCount)]
        )
        .affectedCount
    }

    /// Marks a relay address that refused mail, by the rule of `AccountRules`, or removes the mark; returns whether the
    /// account changed.
    package func markRelayAddress(
        _ address: String,
        of account: AccountID,
        isRefused: Bool
    ) async throws(AccountStoreError) -> Bool {
        try await database.decide {
            $0.account(.id(account)).map {
                AccountRules.markRelayAddress(address, of: $0, isRefused: isRefused)
            }
        }
    }

    /// Counts the entries that are left in the outbox.
    package func outboxBacklog() async throws(AccountStoreError) -> OutboxBacklog {
        try await database.read { query in
            let counts = query.list(
                """
                SELECT kind, count(*) FILTER (WHERE NOT is_refused),
                    count(*) FILTER (WHERE is_refused), min(created_at)
                FROM outbox GROUP BY kind
                """,
                []
            ) { row in
                let left = OutboxBacklog.Count(
                    waitingCount: try row.count(1),
                    refusedCount: try row.count(2),
                    oldestCreatedAt: try row.optionalDate(3)
                )
                return (try row.text(0), left)
            }
            let errors = query.list(
                """
                SELECT last_error, count(*) FROM outbox
                WHERE last_error IS NOT NULL GROUP BY last_error
                """,
                []
            ) { (try $0.text(0), try $0.count(1)) }
            return QueryResult { results in
                OutboxBacklog(
                    counts: Dictionary(uniqueKeysWithValues: try results[counts]),
                    errorCounts: Dictionary(uniqueKeysWithValues: try results[errors])
                )
            }
        }
    }
}
