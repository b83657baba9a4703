import AccountStoreConformance
import AppleIdentity
import Logging
import ServerTestSupport
import Testing

@testable import Accounts
@testable import AccountsPostgreSQL

@Suite("The tables of a PostgreSQL database")
struct PostgreSQLSchemaTests {
    @Test("are made once by eight programs that start at once, and all of them work")
    func startedAtOnce() async throws {
        try await TestCluster.withSchema("&pool_size=2") { settings in
            try await withThrowingTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        let store = try await AccountStore(
                            PostgreSQLDatabase(
                                settings,
                                logger: TestCluster.quiet
                            )
                        )
                        var sample = SampleSignIn()
                        sample.user = UserID("\(number)")
                        #expect(try await store.signIn(sample).isNewAccount)
                        store.postgreSQL.close()
                    }
                }
                try await group.waitForAll()
            }
            let store = try await AccountStore(
                PostgreSQLDatabase(settings, logger: TestCluster.quiet)
            )
            let rows = try await store.execute("SELECT count(*) FROM schema_versions")
            #expect(try rows.first?.count(0) == PostgreSQLSchema.migrations.count)
            #expect(try await store.accounts(after: nil, maximumCount: 100).count == 8)
            store.postgreSQL.close()
        }
    }

    @Test("are changed once by a later program's servers that start at once")
    func changedAtOnce() async throws {
        try await TestCluster.withSchema { settings in
            let store = try await AccountStore(
                PostgreSQLDatabase(settings, logger: TestCluster.quiet)
            )
            var sample = SampleSignIn()
            sample.name = AccountName("Maya")
            try await store.signIn(sample)
            let later = PostgreSQLSchema.Migration(
                name: "of a later program",
                statements: ["ALTER TABLE accounts RENAME COLUMN name TO called"]
            )
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let connection = try await PostgreSQLConnection.open(settings, time: .live)
                        try await PostgreSQLSchema.bringUpToDate(
                            connection,
                            retrying: Retries(within: .seconds(60), time: .live, randomUnit: { 0 }),
                            by: PostgreSQLSchema.migrations + [later],
                            now: SampleSignIn.start,
                            logger: TestCluster.quiet
                        )
                        await connection.close()
                    }
                }
                try await group.waitForAll()
            }
            let names = try await store.execute("SELECT name FROM schema_versions ORDER BY version")
            let steps = try names.rows.map { try $0.text(0) }
            #expect(steps == PostgreSQLSchema.migrations.map(\.name) + [later.name])
            let called = try await store.execute("SELECT called FROM accounts")
            #expect(try called.first?.text(0) == "Maya")
            store.postgreSQL.close()
        }
    }

    @Test("are made as soon as no other program is in the way")
    func conflicts() async throws {
        try await TestCluster.withDatabase { cluster, database in
            let settings = try ConnectionSettings(url: cluster.url(database))
            let connection = try await PostgreSQLConnection.open(settings, time: .live)
            for statement in [
                "CREATE SEQUENCE attempts",
                """
                CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF nextval('attempts') <= 90 THEN
                        RAISE 'in the way' USING ERRCODE = '40001';
                    END IF;
                END $$
                """,
                """
                CREATE EVENT TRIGGER refusal ON ddl_command_start WHEN TAG IN ('CREATE TABLE')
                EXECUTE FUNCTION refuse()
                """,
            ] {
                _ = try await connection.exchange([.command(statement)]).get()
            }
            let store = try await AccountStore(
                PostgreSQLDatabase(
                    settings,
                    time: ManualTime().passingPauses,
                    logger: TestCluster.quiet
                )
            )
            #expect(try await store.signIn(SampleSignIn()).isNewAccount)
            store.postgreSQL.close()
            await connection.close()
        }
    }

    @Test("of a newer program are left alone")
    func newer() async throws {
        try await TestCluster.withSchema { settings in
            let store = try await AccountStore(
                PostgreSQLDatabase(settings, logger: TestCluster.quiet)
            )
            try await store.execute("INSERT INTO schema_versions VALUES (1000, 'later', 0)")
            store.postgreSQL.close()
            let error = await expectFailure(.failed) {
                try await AccountStore(PostgreSQLDatabase(settings, logger: TestCluster.quiet))
            }
            #expect(error?.hint.contains("newer version") == true)
        }
    }

    @Test("are made wholly or not at all")
    func halfDone() async throws {
        try await TestCluster.withSchema { settings in
            let connection = try await PostgreSQLConnection.open(settings, time: .live)
            // The last table is in the way.
            _ = try await connection.exchange([.command("CREATE TABLE audit_entries (x BIGINT)")])
                .get()
            await #expect(throws: AccountStoreError.self) {
                try await AccountStore(PostgreSQLDatabase(settings, logger: TestCluster.quiet))
            }
            let count = Statement.command(
                "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
            )
            #expect(try await connection.exchange([count]).get()[0].first?.count(0) == 1)
            _ = try await connection.exchange([.command("DROP TABLE audit_entries")]).get()
            try await PostgreSQLDatabase(settings, logger: TestCluster.quiet).close()
            await connection.close()
        }
    }

    @Test("are not made in a database of another encoding")
    func encoding() async throws {
        let cluster = try await TestCluster.shared.value
        try await cluster.administer(
            "CREATE DATABASE latin ENCODING LATIN1 LOCALE 'C' TEMPLATE template0"
        )
        let error = await #expect(throws: AccountStoreError.self) {
            try await AccountStore(
                PostgreSQLDatabase(ConnectionSettings(url: cluster.url("latin")))
            )
        }
        #expect(error?.hint.contains("LATIN1") == true)
    }
}
