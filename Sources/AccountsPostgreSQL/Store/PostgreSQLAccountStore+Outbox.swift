import Accounts
import AppleIdentity
import Foundation

extension PostgreSQLAccountStore {
    /// How many entries one call may pull forward.
    private static let maximumDueRowCount = 1000

    /// Reserves entries that are due for one worker; what another is about to take is passed over.
    package func claimEntries(
        _ claim: OutboxClaim
    ) async throws(AccountStoreError) -> [OutboxEntry] {
        let rows = try await database.run(
            """
            WITH due AS (
                SELECT id FROM outbox
                WHERE NOT is_refused AND next_attempt_at <= $1
                    AND (claimed_until IS NULL OR claimed_until <= $1)
                    AND kind = $5
                    AND (waits_for IS NULL OR created_at <= $6 OR NOT EXISTS
                        (SELECT 1 FROM outbox AS other WHERE other.id = outbox.waits_for))
                ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED
            )
            UPDATE outbox SET claimed_by = $2, claimed_until = $3 FROM due
            WHERE outbox.id = due.id RETURNING \(OutboxRow.qualifiedColumns)
            """,
            [
                .integer(claim.now.microseconds), .text(claim.worker),
                .integer(claim.until.microseconds), .count(claim.maximumCount),
                .text(claim.kind.rawValue), .integer(claim.waitEnd.microseconds),
            ]
        )
        var unreadable: [OutboxID] = []
        let entries = try rows.map { row throws(AccountStoreError) -> OutboxEntry? in
            if let entry = try? OutboxRow.read(row) { return entry }
            unreadable.append(try OutboxRow.id(row))
            return nil
        }
        for id in unreadable { try await setAside(id, worker: claim.worker) }
        return entries.compactMap(\.self)
    }

    /// An entry that can't be read must not keep the others from being done, and stays, visible.
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

    /// Writes down how an attempt ended.
    package func finishEntry(
        _ entry: OutboxID,
        worker: String,
        result: OutboxResult
    ) async throws(AccountStoreError) {
        let key: [StatementValue] = [.text(entry.rawValue), .text(worker)]
        switch result {
        case .done, .expired:
            try await database.run("DELETE FROM outbox WHERE id = $1 AND claimed_by = $2", key)
        case .failed(let code, let nextAttemptAt):
            try await database.run(
                """
                UPDATE outbox SET attempt_count = attempt_count + 1, last_error = $3,
                    next_attempt_at = $4, claimed_by = NULL, claimed_until = NULL
                WHERE id = $1 AND claimed_by = $2
                """,
                key + [.text(code), .integer(nextAttemptAt.microseconds)]
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

    /// Gives entries that were refused for good another attempt.
    package func requeueRefusedEntries(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await database.run(
            """
            UPDATE outbox SET is_refused = false, next_attempt_at = $1
            WHERE is_refused AND kind = $2
            """,
            [.integer(now.microseconds), .text(kind.rawValue)]
        )
        .affectedCount
    }

    /// Makes entries due whose last attempt failed.
    package func makeFailedEntriesDue(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await database.run(
            """
            WITH failed AS (
                SELECT id FROM outbox
                WHERE NOT is_refused AND next_attempt_at > $1 AND claimed_by IS NULL AND kind = $2
                ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED
            )
            UPDATE outbox SET next_attempt_at = $1 FROM failed WHERE outbox.id = failed.id
            """,
            [.integer(now.microseconds), .text(kind.rawValue), .count(Self.maximumDueRowCount)]
        )
        .affectedCount
    }

    /// Counts what is left in the outbox.
    package func outboxBacklog() async throws(AccountStoreError) -> OutboxBacklog {
        try await database.read { question in
            let counts = question.list(
                """
                SELECT kind, count(*) FILTER (WHERE NOT is_refused),
                    count(*) FILTER (WHERE is_refused), min(created_at)
                FROM outbox GROUP BY kind
                """,
                []
            ) { row throws(AccountStoreError) in
                let left = OutboxBacklog.Count(
                    waitingCount: try row.count(1),
                    refusedCount: try row.count(2),
                    oldestCreatedAt: try row.optionalDate(3)
                )
                return (try row.text(0), left)
            }
            let errors = question.list(
                """
                SELECT last_error, count(*) FROM outbox
                WHERE last_error IS NOT NULL GROUP BY last_error
                """,
                []
            ) { row throws(AccountStoreError) in (try row.text(0), try row.count(1)) }
            return Fact { answers throws(AccountStoreError) in
                OutboxBacklog(
                    counts: Dictionary(uniqueKeysWithValues: try answers[counts]),
                    errorCounts: Dictionary(uniqueKeysWithValues: try answers[errors])
                )
            }
        }
    }
}
