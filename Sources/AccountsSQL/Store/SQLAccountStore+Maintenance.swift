import Accounts
import AppleIdentity
import Foundation

extension SQLAccountStore {
    package func checkWriting(now: Date) async throws(AccountStoreError) {
        let rows = try await database.run(
            "UPDATE store_state SET checked_at = $1 WHERE id = 1",
            [.date(now)]
        )
        guard rows.affectedCount == 1 else {
            throw AccountStoreError(.failed, hint: "the table store_state has lost its row")
        }
    }

    /// Forgets what has expired; rows that another transaction is about to change wait for the next time.
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

    package func forgetAuditEntries(
        until limit: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int {
        try await forget(from: .auditLog, until: limit, maximumCount: maximumCount)
    }

    /// Reads first: most often there is nothing to forget, and nothing is written.
    private func forget(
        from table: ExpiringTable,
        until limit: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int {
        let isAny = try await database.read { question in
            question.exists("\(table.name) WHERE \(table.time) <= $1", [.date(limit)])
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

/// A table whose rows have an end.
private struct ExpiringTable: Sendable {
    let name: String
    let key: String
    let time: String
    /// How long after their time rows are kept.
    var memory: TimeInterval = 0
    /// By what a row is known that is gone.
    var returned: String
    /// What has changed of people and sessions, if anything.
    var write: @Sendable (SQLRow) throws -> StoreWrite? = { _ in nil }

    static let all = [
        ExpiringTable(name: "sessions", key: "token_hash", time: "expires_at", returned: "id") {
            .removeSession(SessionID(rawValue: try $0.text(0)))
        },
        hashes("used_once", time: "remembered_until"),
        hashes("throttles", key: "key"),
        hashes("mail_tokens"),
        hashes("app_codes"),
        hashes("apple_events", key: "notification_hash", time: "remembered_until"),
        ExpiringTable(
            name: "pending_names",
            key: "issuer, subject",
            time: "created_at",
            memory: SignInAttempt.pendingNameMemory,
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
