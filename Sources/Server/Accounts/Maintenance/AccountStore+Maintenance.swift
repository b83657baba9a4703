import AppleIdentity
import Foundation

extension AccountStore {
    /// Checks that the store is writable, by recording the sealing keys of a running server, as `id=fingerprint`.
    package func checkWriting(
        as sealingKeys: [String],
        now: Date
    ) async throws(AccountStoreError) {
        _ = try await database.run(
            """
            INSERT INTO server_keys (sealing_keys, recorded_at) VALUES ($1, $2)
            ON CONFLICT (sealing_keys) DO UPDATE SET recorded_at = excluded.recorded_at
            """,
            [.text(sealingKeys.joined(separator: ",")), .date(now)]
        )
    }

    /// The time of the database's server; nil if the store has no clock of its own.
    package func clock() async throws(AccountStoreError) -> Date? {
        guard let clock = database.dialect.clock else { return nil }
        return try await database.read { $0.first("SELECT \(clock)", []) { try $0.date(0) } }
    }

    /// Deletes expired rows, such as sessions, used tokens and nonces, events, and names of sign-ins that were not
    /// completed; returns their number.
    ///
    /// Rows that another transaction has locked stay.
    package func forgetExpired(
        now: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int {
        var count = 0
        for table in ExpiringTable.all {
            let limit = now.addingTimeInterval(-table.memory)
            count += try await forget(from: table, until: limit, maximumCount: maximumCount)
        }
        return count
    }

    /// Deletes old entries, each by its own time, and returns their number.
    package func forgetAuditEntries(
        until limit: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int {
        try await forget(from: .auditLog, until: limit, maximumCount: maximumCount)
    }

    /// Reads first, because usually no row has expired and no write is needed.
    private func forget(
        from table: ExpiringTable,
        until limit: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int {
        let isAny = try await database.read { query in
            query.exists("\(table.name) WHERE \(table.time) <= $1", [.date(limit)])
        }
        guard isAny else { return 0 }
        let deletion = Statement(
            """
            DELETE FROM \(table.name) WHERE (\(table.key)) IN (
                SELECT \(table.key) FROM \(table.name) WHERE \(table.time) <= $1
                ORDER BY \(table.time) LIMIT $2 \(database.dialect.skipLocked)
            ) RETURNING \(table.returned)
            """,
            [.date(limit), .count(maximumCount)]
        )
        return try await database.run([deletion]) { try $0[0].rows.compactMap(table.write) }[0].rows
            .count
    }
}

/// A table whose rows expire.
private struct ExpiringTable: Sendable {
    let name: String
    let key: String
    let time: String
    /// Seconds for which rows are kept after their time.
    var memory: TimeInterval = 0
    /// The columns that identify a deleted row.
    var returned: String
    /// The change of users or sessions that a deleted row means, if any.
    var write: @Sendable (SQLRow) throws -> StoreWrite? = { _ in nil }

    static let all = [
        ExpiringTable(name: "sessions", key: "token_hash", time: "expires_at", returned: "id") {
            .removeSession(SessionID(rawValue: try $0.text(0)))
        },
        hashes("used_once", time: "remembered_until"),
        hashes("throttles", key: "key"),
        hashes("mail_tokens"),
        hashes("app_codes"),
        // Without another key, the time is NULL and the row is kept.
        hashes("token_keys", key: "id", time: "published_until"),
        hashes("apple_events", key: "notification_hash", time: "remembered_until"),
        ExpiringTable(
            name: "pending_names",
            key: "issuer, subject",
            time: "created_at",
            memory: SignInCheck.pendingNameMemory,
            returned: "issuer, subject"
        ) { row in
            let user = UserID(rawValue: try row.text(1))
            return .forgetName(of: ApplePerson(issuer: try row.text(0), user: user))
        },
    ]

    static let auditLog = ExpiringTable(
        name: "audit_entries",
        key: "id",
        time: "occurred_at",
        returned: "id"
    ) { .forgetAudit([AuditID(rawValue: try $0.text(0))]) }

    private static func hashes(
        _ name: String,
        key: String = "hash",
        time: String = "expires_at"
    ) -> ExpiringTable {
        ExpiringTable(name: name, key: key, time: time, returned: key)
    }
}
