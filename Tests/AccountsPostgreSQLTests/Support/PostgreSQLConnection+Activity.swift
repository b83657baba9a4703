import Accounts
import Testing

@testable import AccountsPostgreSQL

/// What the server does for the other connections to the same database that have the same application's name.
extension PostgreSQLConnection {
    /// How many there are.
    func connectionCount() async throws -> Int {
        try await count("backend_type = 'client backend'")
    }

    /// How many of them are in the middle of what takes long: a wait for a lock, or a COMMIT.
    func workingCount() async throws -> Int {
        try await count("state = 'active' AND (wait_event_type = 'Lock' OR query = 'COMMIT')")
    }

    /// Has the server pass a statement over, twice, because the one before it fails.
    func passOver(_ statement: Statement) async {
        let failing = Statement("SELECT 1 / $1::bigint", [.integer(0)])
        for _ in 0..<2 {
            let failure = await exchange([failing, statement])
            #expect(throws: PostgreSQLFailure.self) { try failure.get() }
        }
    }

    private func count(_ condition: String) async throws -> Int {
        // Whoever waits for a number ends with the test's time.
        try Task.checkCancellation()
        let statement = Statement.command(
            """
            SELECT count(*) FROM pg_stat_activity WHERE \(condition)
                AND datname = current_database() AND pid <> pg_backend_pid()
                AND application_name = current_setting('application_name')
            """
        )
        return try await exchange([statement]).get()[0].first?.count(0) ?? 0
    }
}
