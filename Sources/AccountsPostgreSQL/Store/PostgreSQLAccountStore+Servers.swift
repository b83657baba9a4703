import Accounts
import Foundation

/// The sealing keys of the servers that use the database.
extension PostgreSQLAccountStore {
    package func recordSealingKeys(
        _ keys: [String],
        now: Date
    ) async throws(AccountStoreError) {
        try await database.run(
            """
            INSERT INTO server_keys (sealing_keys, recorded_at) VALUES ($1, $2)
            ON CONFLICT (sealing_keys) DO UPDATE SET recorded_at = excluded.recorded_at
            """,
            [.text(keys.joined(separator: ",")), .integer(now.microseconds)]
        )
    }

    package func sealingKeys(
        recordedSince limit: Date
    ) async throws(AccountStoreError) -> [[String]] {
        let rows = try await database.run(
            "SELECT sealing_keys FROM server_keys WHERE recorded_at >= $1",
            [.integer(limit.microseconds)]
        )
        var keys: [[String]] = []
        for row in rows.rows { keys.append(try row.text(0).split(separator: ",").map(String.init)) }
        return keys
    }
}
