import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// How many entries one call may pull forward.
    private static let maximumDueRowCount = 1000

    /// Reserves entries that are due for one worker; when none is, by reading alone.
    package func claimEntries(
        _ claim: OutboxClaim
    ) async throws(AccountStoreError) -> [OutboxEntry] {
        let due = """
            FROM outbox WHERE is_refused = 0 AND next_attempt_at <= ?1
                AND (claimed_until IS NULL OR claimed_until <= ?1) AND kind = ?2
                AND (waits_for IS NULL OR created_at <= ?3 OR NOT EXISTS
                    (SELECT 1 FROM outbox AS other WHERE other.id = outbox.waits_for))
            """
        let now = claim.now.microseconds
        let kind = claim.kind.rawValue
        let waitEnd = claim.waitEnd.microseconds
        let isAnyDue = try await read {
            try $0.row("SELECT 1 \(due) LIMIT 1", [now, kind, waitEnd]) != nil
        }
        guard isAnyDue else { return [] }
        return try await writer.write { database in
            let claimed = try database.rows(
                """
                UPDATE outbox SET claimed_by = ?4, claimed_until = ?5 WHERE id IN (
                    SELECT id \(due) ORDER BY next_attempt_at LIMIT ?6
                )
                RETURNING \(OutboxRow.columns)
                """,
                [
                    now, kind, waitEnd, claim.worker, claim.until.microseconds,
                    claim.maximumCount,
                ]
            )
            return (try claimed.compactMap(database.readable), [])
        }
    }

    /// Writes down how an attempt ended.
    package func finishEntry(
        _ entry: OutboxID,
        worker: String,
        result: OutboxResult
    ) async throws(AccountStoreError) {
        try await writer.write { database in
            switch result {
            case .done, .expired:
                try database.run(
                    "DELETE FROM outbox WHERE id = ? AND claimed_by = ?",
                    [entry.rawValue, worker]
                )
                return ((), [.removeEntries([entry])])
            case .failed(let code, let nextAttemptAt):
                try database.run(
                    """
                    UPDATE outbox SET attempt_count = attempt_count + 1, last_error = ?,
                        next_attempt_at = ?, claimed_by = NULL, claimed_until = NULL
                    WHERE id = ? AND claimed_by = ?
                    """,
                    [code, nextAttemptAt.microseconds, entry.rawValue, worker]
                )
            case .refused(let code):
                try database.run(
                    """
                    UPDATE outbox SET attempt_count = attempt_count + 1, last_error = ?,
                        is_refused = 1, claimed_by = NULL, claimed_until = NULL
                    WHERE id = ? AND claimed_by = ?
                    """,
                    [code, entry.rawValue, worker]
                )
            }
            return ((), [])
        }
    }

    /// Gives entries that were refused for good another attempt.
    package func requeueRefusedEntries(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await writer.write { database in
            let queued = try database.rows(
                """
                UPDATE outbox SET is_refused = 0, next_attempt_at = ?
                WHERE is_refused = 1 AND kind = ? RETURNING id
                """,
                [now.microseconds, kind.rawValue]
            )
            return (queued.count, [])
        }
    }

    /// Makes entries due whose last attempt failed.
    package func makeFailedEntriesDue(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await writer.write { database in
            let due = try database.rows(
                """
                UPDATE outbox SET next_attempt_at = ?1 WHERE id IN (
                    SELECT id FROM outbox
                    WHERE is_refused = 0 AND next_attempt_at > ?1 AND claimed_by IS NULL
                        AND kind = ?2
                    ORDER BY next_attempt_at LIMIT ?3
                )
                RETURNING id
                """,
                [now.microseconds, kind.rawValue, Self.maximumDueRowCount]
            )
            return (due.count, [])
        }
    }

    /// Counts what is left in the outbox.
    package func outboxBacklog() async throws(AccountStoreError) -> OutboxBacklog {
        try await read { database in
            let counts = try database.rows(
                """
                SELECT kind, count(*), ifnull(sum(is_refused), 0), min(created_at) FROM outbox
                GROUP BY kind
                """,
                []
            )
            let errors = try database.rows(
                """
                SELECT last_error, count(*) FROM outbox
                WHERE last_error IS NOT NULL GROUP BY last_error
                """,
                []
            )
            return OutboxBacklog(
                counts: Dictionary(
                    uniqueKeysWithValues: counts.map { row in
                        let kind: String = row[0]
                        let (count, refusedCount): (Int, Int) = (row[1], row[2])
                        let oldest: Int64? = row[3]
                        let left = OutboxBacklog.Count(
                            waitingCount: count - refusedCount,
                            refusedCount: refusedCount,
                            oldestCreatedAt: oldest.map(Date.init(microseconds:))
                        )
                        return (kind, left)
                    }
                ),
                errorCounts: Dictionary(
                    uniqueKeysWithValues: errors.map { row in
                        let code: String = row[0]
                        let count: Int = row[1]
                        return (code, count)
                    }
                )
            )
        }
    }
}

extension Database {
    /// The entry; one that can't be read must not keep the others from being done, and stays, visible.
    fileprivate func readable(_ row: Row) throws -> OutboxEntry? {
        do {
            return try OutboxRow.read(row)
        } catch is AccountStoreError {
            let id: String = row[0]
            try run(
                """
                UPDATE outbox SET is_refused = 1, last_error = 'entry_unreadable',
                    claimed_by = NULL, claimed_until = NULL
                WHERE id = ?
                """,
                [id]
            )
            return nil
        }
    }
}
