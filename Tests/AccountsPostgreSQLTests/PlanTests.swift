import AccountStoreConformance
import AppleIdentity
import Testing

@testable import Accounts
@testable import AccountsPostgreSQL

@Suite("Plans that were made for small tables", .timeLimit(.minutes(2)))
struct PlanTests {
    private static let tables = [
        "accounts", "sessions", "apple_identities", "outbox", "apple_events",
    ]

    /// By a part of each statement, an index by which it has to find its rows.
    private static let indices = [
        ("pending_names.name", "apple_identities_issuer_subject_key"),
        ("WHERE accounts.id =", "accounts_pkey"),
        ("LIMIT 1000 OFFSET", "sessions_by_account"), ("DISTINCT device", "sessions_by_account"),
        ("WHERE token_hash =", "sessions_pkey"), ("FROM outbox", "outbox_by_person"),
        ("notification_hash", "apple_events"), ("accounts.email_key =", "accounts_by_email"),
    ]

    /// What counts as small is the planner's affair: with some rows it goes through an index that has few pages.
    @Test(
        "read by indices, so that they are good until the database has counted the rows anew",
        arguments: [1, 10, 60]
    )
    func indices(peopleCount: Int) async throws {
        // On a server of its own: where others change tables, plans are made anew at any time.
        let cluster = try await TestCluster()
        let store = try await TestCluster.patientStore(
            ConnectionSettings(url: cluster.url("postgres", "&pool_size=1"))
        )
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
        let statements = Self.statements(sample)
        // From the sixth time on, a plan stays.
        for _ in 0..<8 {
            _ = try await store.session(tokenHash: sample.token.hash, now: sample.now)
            _ = try await store.postgreSQL.pool.exchange(
                [store.postgreSQL.pool.settings.keyLimits] + statements
            ).get()
        }
        let reading = try await plan(like: SessionLoader.sql, "NULL", store)
        for index in ["sessions_pkey", "accounts_pkey", "apple_identities_pkey"] {
            #expect(reading.contains(index), "\(reading)")
        }
        #expect(Self.areRowsLookedUp(reading), "\(reading)")
        #expect(!reading.contains("Memoize"), "\(reading)")
        for statement in statements {
            // Where each table has a single row, the planner joins by any index.
            let joins = ["pending_names.name", "accounts.email_key ="]
            if peopleCount == 1, joins.contains(where: statement.sql.contains) { continue }
            let values = statement.values.map { _ in "NULL" }.joined(separator: ", ")
            let plan = try await plan(like: statement.sql, values, store)
            #expect(Self.areRowsLookedUp(plan), "\(plan)")
            let index = try #require(Self.indices.first { statement.sql.contains($0.0) }?.1)
            #expect(plan.contains(index), "\(plan)")
        }
        store.postgreSQL.close()
    }

    /// What a sign-in and an event ask.
    private static func statements(_ sample: SampleSignIn) -> [Statement] {
        var sample = sample
        sample.mail = AccountStoreConformance.mail("notice")
        sample.previousToken = sample.token
        var query = Query()
        _ = query.facts(of: sample.commit)
        _ = query.facts(of: AccountStoreConformance.event(.consentRevoked, at: 1))
        _ = query.accounts(confirming: "maya@example.com", limit: 2)
        return query.statements
    }

    /// Whether no table or index is gone through as a whole, nor all rows that end later.
    private static func areRowsLookedUp(_ plan: String) -> Bool {
        let scans = plan.ranges(of: "Index Scan").count + plan.ranges(of: "Index Only Scan").count
        return plan.ranges(of: "Index Cond").count == scans
            && !["Seq Scan", "Hash", "Merge", "_by_end"].contains {
                plan.contains($0)
            }
    }

    /// The plan that stays for a prepared statement.
    private func plan(
        like text: String,
        _ values: String,
        _ store: AccountStore
    ) async throws -> String {
        let connection = try await store.postgreSQL.pool.lend()
        let prepared = try await connection.exchange([
            .command(
                """
                SELECT name, generic_plans FROM pg_prepared_statements
                WHERE statement LIKE $text$\(text)$text$
                    AND statement NOT LIKE '%pg_prepared_statements%'
                """
            )
        ])
        .get()
        let row = try #require(prepared[0].first)
        #expect(try row.count(1) > 0, "no plan stays for \(text)")
        let explained = try await connection.exchange([
            .command("BEGIN"), .command("SET LOCAL enable_seqscan = on"),
            .command("EXPLAIN EXECUTE \(try row.text(0)) (\(values))"), .command("COMMIT"),
        ])
        .get()
        await store.postgreSQL.pool.giveBack(connection)
        let lines = explained[2]
        return try lines.rows.map { try $0.text(0) }.joined(separator: "\n")
    }
}
