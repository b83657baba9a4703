import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Finds out whether the file can be written to.
    package func checkWriting(now: Date) async throws(AccountStoreError) {
        try await writer.write { database in
            try database.run("UPDATE store_state SET checked_at = ?", [now.microseconds])
            return ((), [])
        }
    }

    /// Forgets what has expired; by reading alone when nothing has.
    package func forgetExpired(
        now: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int {
        let limits = Self.expiring.map { table in
            (table, now.addingTimeInterval(-table.memory).microseconds)
        }
        var count = 0
        for (table, limit) in limits {
            let isAny = try await read { database in
                try database.row("SELECT 1 \(table.expired) LIMIT 1", [limit]) != nil
            }
            guard isAny else { continue }
            count += try await writer.write { database in
                let gone = try database.rows(
                    """
                    DELETE FROM \(table.name) WHERE (\(table.key)) IN (
                        SELECT \(table.key) \(table.expired) LIMIT ?
                    )
                    RETURNING \(table.id)
                    """,
                    [limit, maximumCount]
                )
                return (gone.count, table.writes(gone))
            }
        }
        return count
    }

    /// Writes the log back, and cuts it when it still has what was deleted.
    package func wipeTraces() async throws(AccountStoreError) {
        do {
            try await checkpointer.checkpoint()
        } catch {
            throw AccountStoreError(error)
        }
    }

    private struct ExpiringTable: Sendable {
        let name: String
        let key: String
        let time: String
        var memory: TimeInterval = 0
        var id = "1"
        /// What has to be followed: a use that waits to be written must not bring a session back in memory.
        var writes: @Sendable ([Row]) -> [StoreWrite] = { _ in [] }

        var expired: String { "FROM \(name) WHERE \(time) <= ?" }
    }

    private static let expiring = [
        ExpiringTable(
            name: "sessions",
            key: "token_hash",
            time: "expires_at",
            id: "id",
            writes: { rows in rows.map { .removeSession(SessionID(rawValue: $0[0])) } }
        ),
        ExpiringTable(name: "used_once", key: "hash", time: "remembered_until"),
        ExpiringTable(name: "throttles", key: "key", time: "expires_at"),
        ExpiringTable(name: "mail_tokens", key: "hash", time: "expires_at"),
        ExpiringTable(name: "app_codes", key: "hash", time: "expires_at"),
        ExpiringTable(name: "apple_events", key: "notification_hash", time: "remembered_until"),
        ExpiringTable(
            name: "pending_names",
            key: "issuer, subject",
            time: "created_at",
            memory: SignInAttempt.pendingNameMemory,
            id: "issuer, subject",
            writes: { rows in
                rows.map { row in
                    let user = UserID(rawValue: row[1])
                    return .forgetName(of: ApplePerson(issuer: row[0], user: user))
                }
            }
        ),
    ]
}
