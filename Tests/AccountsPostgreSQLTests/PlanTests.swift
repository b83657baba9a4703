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

    /// What sign-ins that share a transaction ask, by a part of each statement, and an index by which it has to be found.
    private static let signInStatements = [
        ("value_6", "apple_identities_pkey"), ("subject = wanted.value_2", "sessions_by_account"),
        ("outbox WHERE person_hash = wanted", "outbox_by_person"),
    ]

    /// What counts as small is the planner's affair: with some rows it goes through an index that has few pages.
    @Test(
        "read by indices, so that they are good until the database has counted the rows anew",
        arguments: [1, 10, 60]
    )
    func indices(peopleCount: Int) async throws {
        // On a server of its own: where others change tables, plans are made anew at any time.
        let cluster = try await TestCluster()
        let store = try await PostgreSQLAccountStore(
            ConnectionSettings(url: cluster.url("postgres", "&pool_size=1")),
            logger: TestCluster.quiet
        )
        let keys = try AccountStoreConformance.auditKeys()
        let sample = SampleSignIn()
        try await store.signIn(sample)
        for number in 1..<peopleCount {
            var other = SampleSignIn()
            other.user = UserID(rawValue: "person.\(number)")
            other.newAccountID = .make(at: SampleSignIn.start, .random)
            try await store.signIn(other)
        }
        for table in Self.tables {
            try await store.execute("ALTER TABLE \(table) SET (autovacuum_enabled = false)")
            try await store.execute("ANALYZE \(table)")
        }
        // From the sixth time on, a plan stays.
        var question = Question()
        for _ in 0..<2 { _ = question.facts(of: sample.completion, guessesNew: true) }
        let signIns = [store.pool.settings.keyLimits()] + SharedQuestion(question).statements
        for _ in 0..<8 {
            _ = try await store.session(tokenHash: sample.token.hash, now: sample.now)
            _ = try await store.seal(AccountStoreConformance.sealing(keys))
            _ = try await store.pool.exchange(signIns).get()
        }
        let sealing = try await plan(of: "FROM audit_waiting ORDER BY id", "500", store)
        #expect(sealing.contains("audit_entries_by_id"))
        #expect(!sealing.contains("Seq Scan"))
        let reading = try await plan(of: "AS wanted(token_hash", "'{}'", store)
        for index in ["sessions_pkey", "accounts_pkey", "apple_identities_account_id_key"] {
            #expect(reading.contains(index), "\(reading)")
        }
        #expect(Self.areRowsLookedUp(reading), "\(reading)")
        for (part, index) in Self.signInStatements {
            let count = SharedQuestion(question).statements.first { $0.sql.contains(part) }?.values
                .count
            let values = Array(repeating: "'{}'", count: try #require(count)).joined(
                separator: ", "
            )
            let signIn = try await plan(of: part, values, store)
            #expect(signIn.contains(index), "\(signIn)")
            #expect(Self.areRowsLookedUp(signIn), "\(signIn)")
        }
        store.close()
    }

    /// Whether no table or index is gone through as a whole.
    private static func areRowsLookedUp(_ plan: String) -> Bool {
        !["Seq Scan", "Hash", "Merge", "Join Filter"].contains { plan.contains($0) }
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
