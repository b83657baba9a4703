import AccountStoreConformance
import Accounts
import AppleIdentity
import Testing

@testable import AccountsPostgreSQL

@Suite("Plans that were made for small tables", .timeLimit(.minutes(2)))
struct PlanTests {
    private static let tables = [
        "accounts", "sessions", "apple_identities", "audit_waiting", "audit_entries",
    ]

    @Test("read by indices, so that they are good until the database has counted the rows anew")
    func indices() async throws {
        // On a server of its own: where others change tables, plans are made anew at any time.
        let cluster = try await TestCluster()
        let store = try await PostgreSQLAccountStore(
            ConnectionSettings(url: cluster.url("postgres", "&pool_size=1")),
            logger: TestCluster.quiet
        )
        let keys = try AccountStoreConformance.auditKeys()
        let sample = SampleSignIn()
        try await store.signIn(sample)
        for table in Self.tables {
            try await store.execute("ALTER TABLE \(table) SET (autovacuum_enabled = false)")
            try await store.execute("ANALYZE \(table)")
        }
        // From the sixth time on, a plan stays.
        for _ in 0..<8 {
            _ = try await store.session(tokenHash: sample.token.hash, now: sample.now)
            _ = try await store.seal(AccountStoreConformance.sealing(keys))
        }
        let sealing = try await plan(of: "FROM audit_waiting ORDER BY id", "500", store)
        #expect(sealing.contains("audit_entries_by_id"))
        #expect(!sealing.contains("Seq Scan"))
        let reading = try await plan(of: "WITH ORDINALITY", "'{}'", store)
        #expect(reading.contains("sessions"))
        #expect(!reading.contains("Seq Scan"))
        store.close()
    }

    /// The plan that stays for a prepared statement.
    private func plan(
        of part: String,
        _ value: String,
        _ store: PostgreSQLAccountStore
    ) async throws -> String {
        let connection = try await store.pool.lend()
        let prepared = try await connection.exchange([
            .command(
                """
                SELECT name, generic_plans FROM pg_prepared_statements
                WHERE statement LIKE '%\(part)%' AND statement NOT LIKE '%pg_prepared_statements%'
                """
            )
        ])
        .get()
        let row = try #require(prepared[0].first)
        #expect(try row.integer(1) > 0, "no plan stays for \(part)")
        let explained = try await connection.exchange([
            .command("BEGIN"), .command("SET LOCAL enable_seqscan = on"),
            .command("EXPLAIN EXECUTE \(try row.text(0)) (\(value))"), .command("COMMIT"),
        ])
        .get()
        await store.pool.giveBack(connection)
        let lines = explained[2]
        return try (0..<lines.count).map { try lines[$0].text(0) }.joined(separator: "\n")
    }
}
