import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// How many entries one call may pull forward.
    private static let maximumDueRowCount = 1000

    /// Reserves revocations that are due for one worker.
    public func claimRevocations(
        _ claim: RevocationClaim
    ) async throws(AccountStoreError) -> [Revocation] {
        try await transaction { database in
            try database.rows(
                """
                UPDATE revocations SET claimed_by = ?1, claimed_until = ?2 WHERE id IN (
                    SELECT id FROM revocations
                    WHERE is_refused = 0 AND next_attempt_at <= ?3
                        AND (claimed_until IS NULL OR claimed_until <= ?3)
                    ORDER BY next_attempt_at LIMIT ?4
                )
                RETURNING id, account_id, client_id, sealed_token, created_at, attempt_count
                """,
                [claim.worker, claim.until.seconds, claim.now.seconds, claim.maximumCount]
            )
            .map { row in
                Revocation(
                    id: RevocationID(rawValue: row[0]),
                    accountID: AccountID(rawValue: row[1]),
                    clientID: ClientID(rawValue: row[2]),
                    sealedToken: row[3],
                    createdAt: Date(timeIntervalSince1970: row[4]),
                    attemptCount: row[5]
                )
            }
        }
    }

    /// Writes down how an attempt ended.
    public func finishRevocation(
        _ revocation: RevocationID,
        worker: String,
        result: RevocationResult
    ) async throws(AccountStoreError) {
        try await transaction { database in
            switch result {
            case .revoked:
                try database.run(
                    "DELETE FROM revocations WHERE id = ? AND claimed_by = ?",
                    [revocation.rawValue, worker]
                )
            case .failed(let code, let nextAttemptAt):
                try database.run(
                    """
                    UPDATE revocations SET attempt_count = attempt_count + 1, last_error = ?,
                        next_attempt_at = ?, claimed_by = NULL, claimed_until = NULL
                    WHERE id = ? AND claimed_by = ?
                    """,
                    [code, nextAttemptAt.seconds, revocation.rawValue, worker]
                )
            case .refused(let code):
                try database.run(
                    """
                    UPDATE revocations SET attempt_count = attempt_count + 1, last_error = ?,
                        is_refused = 1, claimed_by = NULL, claimed_until = NULL
                    WHERE id = ? AND claimed_by = ?
                    """,
                    [code, revocation.rawValue, worker]
                )
            }
        }
    }

    /// Gives entries that were refused for good another attempt.
    public func requeueRefusedRevocations(now: Date) async throws(AccountStoreError) -> Int {
        try await transaction { database in
            try database.rows(
                """
                UPDATE revocations SET is_refused = 0, next_attempt_at = ?
                WHERE is_refused = 1 RETURNING id
                """,
                [now.seconds]
            )
            .count
        }
    }

    /// Makes entries due whose last attempt failed.
    public func makeFailedRevocationsDue(now: Date) async throws(AccountStoreError) -> Int {
        try await transaction { database in
            try database.rows(
                """
                UPDATE revocations SET next_attempt_at = ?1 WHERE id IN (
                    SELECT id FROM revocations
                    WHERE is_refused = 0 AND next_attempt_at > ?1 AND claimed_by IS NULL
                    ORDER BY next_attempt_at LIMIT ?2
                )
                RETURNING id
                """,
                [now.seconds, Self.maximumDueRowCount]
            )
            .count
        }
    }

    /// Counts what is left in the outbox.
    public func revocationBacklog() async throws(AccountStoreError) -> RevocationBacklog {
        try await connected { database in
            let counts = try database.row(
                "SELECT count(*), ifnull(sum(is_refused), 0), min(created_at) FROM revocations",
                []
            )
            let errors = try database.rows(
                """
                SELECT last_error, count(*) FROM revocations
                WHERE last_error IS NOT NULL GROUP BY last_error
                """,
                []
            )
            let count: Int = counts?[0] ?? 0
            let refusedCount: Int = counts?[1] ?? 0
            let oldest: Double? = counts?[2]
            return RevocationBacklog(
                waitingCount: count - refusedCount,
                refusedCount: refusedCount,
                oldestCreatedAt: oldest.map { Date(timeIntervalSince1970: $0) },
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
