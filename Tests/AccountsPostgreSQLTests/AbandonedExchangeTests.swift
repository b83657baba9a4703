import AccountStoreConformance
import Accounts
import AppleIdentity
import ServerTestSupport
import Testing

@testable import AccountsPostgreSQL

@Suite("What was asked of the server and given up", .timeLimit(.minutes(1)))
struct AbandonedExchangeTests {
    /// Ways of asking, each of which waits when the table of accounts is locked.
    enum Way: CaseIterable {
        case read, session, run, decide

        func ask(_ store: AccountStore) async throws {
            var sample = SampleSignIn()
            sample.name = "Maya"
            switch self {
            case .read: _ = try await store.accounts(after: nil, maximumCount: 1)
            case .session:
                _ = try await store.session(tokenHash: sample.token.hash, now: sample.now)
            case .run: try await store.execute("UPDATE accounts SET name = name")
            case .decide: _ = try await store.beginSignIn(sample.check)
            }
        }
    }

    /// How the server is reached.
    enum Route: CaseIterable {
        case direct, overTCP, pooled
    }

    @Test(
        "is cancelled at the server at once when it changes nothing",
        arguments: Way.allCases,
        Route.allCases
    )
    func cancelled(_ way: Way, _ route: Route) async throws {
        let time = ManualTime()
        // The server would not give up by itself for most of an hour.
        try await withStore(timeout: .seconds(3_600), route, time: time) { store, other in
            let locker = try await lockAccounts(other)
            let asking = Task { try await way.ask(store) }
            while try await other.workingCount() == 0 {}
            time.advance(bySeconds: 3_600)
            let error = await #expect(throws: AccountStoreError.self) { try await asking.value }
            #expect(error?.hint == "PostgreSQL: no response within 3600.0 seconds")
            // What may make changes durable is left alone for a while.
            #expect(error?.kind == (way == .run ? .outcomeUnknown : .unavailable))
            if way == .run { time.advance(bySeconds: 30) }
            while try await other.workingCount() > 0 {}
            await locker.close()
        }
    }

    @Test(
        "by a client that is gone is given up by the server too",
        arguments: Way.allCases,
        Route.allCases
    )
    func limited(_ way: Way, _ route: Route) async throws {
        // The client's time stands still: it gives nothing up.
        try await withStore(timeout: .seconds(1), route, time: ManualTime()) { store, other in
            let locker = try await lockAccounts(other)
            let error = await expectFailure(.unavailable) { try await way.ask(store) }
            #expect(error?.hint.contains("timeout") == true)
            #expect(try await other.workingCount() == 0)
            // The limits were the transaction's: a proxy may give the connection to another client.
            let settings = try await store.execute(
                """
                SELECT count(*) FROM pg_settings WHERE source = 'session'
                    AND name IN ('statement_timeout', 'lock_timeout')
                """
            )
            #expect(try settings.first?.count(0) == 2)
            let connection = try await store.postgreSQL.pool.lend()
            let left = try await connection.exchange([
                .command("SELECT current_setting('statement_timeout')")
            ])
            .get()
            #expect(try left[0].first?.text(0) == "0")
            await store.postgreSQL.pool.giveBack(connection)
            await locker.close()
        }
    }

    @Test("goes on when it is a COMMIT, and its connection stays until it is done")
    func lateCommit() async throws {
        let time = ManualTime()
        try await withSlowCommits(time) { store, other in
            let sample = SampleSignIn()
            try await giveUpCommit(of: sample, store, time, other)
            for _ in 0..<50 { #expect(try await other.workingCount() == 1) }
            _ = try await other.exchange([.command("SELECT pg_advisory_unlock(7)")]).get()
            while try await other.workingCount() > 0 {}
            #expect(try await store.session(tokenHash: sample.token.hash, now: sample.now) != nil)
            // Of the store's connections only the one is left that has just read.
            while try await other.connectionCount() > 1 {}
        }
    }

    @Test(
        "is cancelled when it is a COMMIT that takes half a minute longer",
        arguments: Route.allCases
    )
    func endlessCommit(_ route: Route) async throws {
        let time = ManualTime()
        try await withSlowCommits(time, route) { store, other in
            let sample = SampleSignIn()
            try await giveUpCommit(of: sample, store, time, other)
            time.advance(bySeconds: 30)
            while try await other.workingCount() > 0 {}
            #expect(try await store.session(tokenHash: sample.token.hash, now: sample.now) == nil)
        }
    }

    @Test("keeps no more processes of the server at work than there are connections")
    func bounded() async throws {
        let time = ManualTime()
        try await withSlowCommits(time) { store, other in
            for number in 0..<4 {
                var sample = SampleSignIn()
                sample.user = UserID("\(number)")
                try await giveUpCommit(of: sample, store, time, other)
                while try await other.workingCount() > 2 {}
            }
            #expect(try await other.workingCount() == 2)
            store.postgreSQL.close()
            while try await other.connectionCount() > 0 {}
        }
    }

    /// Locks the table until the connection is closed; what the server does is seen on another one, because a
    /// transaction sees that as it was at first.
    private func lockAccounts(
        _ other: PostgreSQLConnection
    ) async throws -> PostgreSQLConnection {
        let connection = try await PostgreSQLConnection.open(other.settings, time: .live)
        _ = try await connection.exchange([.command("BEGIN"), .command("LOCK TABLE accounts")])
            .get()
        return connection
    }

    private func giveUpCommit(
        of sample: SampleSignIn,
        _ store: AccountStore,
        _ time: ManualTime,
        _ other: PostgreSQLConnection
    ) async throws {
        let count = try await other.workingCount()
        let asking = Task { try await store.completeSignIn(sample.commit) }
        while try await other.workingCount() == count {}
        time.advance(bySeconds: 5)
        await expectFailure(.outcomeUnknown) { try await asking.value }
    }

    /// A store on whose database a COMMIT that adds an account takes as long as the other connection has a lock.
    private func withSlowCommits(
        _ time: ManualTime,
        _ route: Route = .direct,
        _ body: (AccountStore, PostgreSQLConnection) async throws -> Void
    ) async throws {
        try await withStore(timeout: .seconds(5), route, time: time) { store, other in
            for statement in [
                """
                CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    WHILE NOT pg_try_advisory_xact_lock(7) LOOP PERFORM pg_sleep(0.001); END LOOP;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON accounts
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()
                """,
                "SELECT pg_advisory_lock(7)",
            ] {
                _ = try await other.exchange([.command(statement)]).get()
            }
            try await body(store, other)
        }
    }

    /// A store on a database of its own, and another connection to that, past any pooler.
    private func withStore(
        timeout: Duration,
        _ route: Route,
        time: ManualTime,
        _ body: (AccountStore, PostgreSQLConnection) async throws -> Void
    ) async throws {
        try await TestCluster.withDatabase { cluster, database in
            let pooler = try await TestPooler.shared.value
            let url =
                switch route {
                case .direct: cluster.url(database, "&pool_size=2")
                case .overTCP:
                    "postgres://app:secret@127.0.0.1:\(cluster.port)/\(database)"
                        + "?sslmode=disable&pool_size=2"
                case .pooled: pooler.url(database, "&pool_size=2&prepared_statements=off")
                }
            var settings = try ConnectionSettings(url: url)
            settings.statementTimeout = timeout
            let store = try await AccountStore(
                PostgreSQLDatabase(
                    settings,
                    time: time.source,
                    logger: TestCluster.quiet
                )
            )
            let other = try await PostgreSQLConnection.open(
                ConnectionSettings(url: cluster.url(database)),
                time: .live
            )
            defer { store.postgreSQL.close() }
            try await body(store, other)
            await other.close()
        }
    }
}
