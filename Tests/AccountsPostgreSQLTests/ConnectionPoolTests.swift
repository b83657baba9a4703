import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import Logging
import PrometheusMetrics
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import AccountsPostgreSQL

@Suite("The connections to PostgreSQL", .timeLimit(.minutes(2)))
struct ConnectionPoolTests {
    @Test("are no more than allowed, and who waits for too long is told")
    func exhausted() async throws {
        let time = ManualTime()
        try await TestCluster.withStore("&pool_size=2", time: time.source) { store in
            let first = try await store.postgreSQL.pool.lend()
            let second = try await store.postgreSQL.pool.lend()
            let waiting = Task { try await store.postgreSQL.pool.lend() }
            try await waitUntil { store.postgreSQL.pool.waiterCount > 0 && time.sleeperCount > 0 }
            time.advance(bySeconds: 3)
            let error = await expectFailure(.unavailable) { try await waiting.value }
            #expect(error?.hint == "all 2 connections are in use")
            let next = Task { try await store.postgreSQL.pool.lend() }
            try await waitUntil { store.postgreSQL.pool.waiterCount > 0 }
            await store.postgreSQL.pool.giveBack(second)
            #expect(try await next.value === second)
            await store.postgreSQL.pool.giveBack(first)
            await store.postgreSQL.pool.giveBack(second)
            #expect(try await store.accounts(after: nil, maximumCount: 1).isEmpty)
        }
    }

    @Test("are closed when nobody has used them for ten minutes, and opened again when needed")
    func idle() async throws {
        let time = ManualTime()
        try await TestCluster.withStore("&pool_size=2", time: time.source) { store in
            let early = try await store.postgreSQL.pool.lend()
            let late = try await store.postgreSQL.pool.lend()
            // The timer of what made the tables ends first.
            time.advance(bySeconds: 3_600)
            try await waitUntil { time.sleeperCount == 0 }
            await store.postgreSQL.pool.giveBack(early)
            try await waitUntil { time.sleeperCount > 0 }
            time.advance(bySeconds: 300)
            await store.postgreSQL.pool.giveBack(late)
            #expect(store.postgreSQL.pool.idleCount == 2)
            time.advance(bySeconds: 300)
            try await waitUntil { !early.state.isUsable }
            #expect(store.postgreSQL.pool.idleCount == 1)
            try await waitUntil { time.sleeperCount > 0 }
            time.advance(bySeconds: 300)
            try await waitUntil { !late.state.isUsable }
            #expect(store.postgreSQL.pool.idleCount == 0)
            #expect(try await store.accounts(after: nil, maximumCount: 1).isEmpty)
        }
    }

    @Test("are tried one by one until the server is back, and are then as many as are wanted")
    func reopened() async throws {
        let cluster = try await TestCluster()
        let time = ManualTime()
        let store = try await AccountStore(
            PostgreSQLDatabase(
                ConnectionSettings(url: cluster.url("postgres", "&pool_size=4")),
                time: time.source,
                logger: TestCluster.quiet
            )
        )
        // The timer of what made the tables ends first.
        time.advance(bySeconds: 3_600)
        try await waitUntil { time.sleeperCount == 0 }
        try await cluster.command("stop")
        var waiting = [Task { try await store.postgreSQL.pool.lend() }]
        // Until it is given up, and until the next attempt.
        try await waitUntil { time.sleeperCount >= 2 }
        for _ in 0..<3 { waiting.append(Task { try await store.postgreSQL.pool.lend() }) }
        try await waitUntil { store.postgreSQL.pool.waiterCount >= 4 }
        let away = PoolLoad(idleCount: 0, lentCount: 0, openingCount: 1, waitingCount: 4)
        #expect(store.load == .pool(away))
        try await cluster.command("start")
        time.advance(bySeconds: ConnectionPool.pauses.lowerBound)
        var connections: [PostgreSQLConnection] = []
        for task in waiting { connections.append(try await task.value) }
        #expect(Set(connections.map { ObjectIdentifier($0) }).count == 4)
        for connection in connections { await store.postgreSQL.pool.giveBack(connection) }
        #expect(store.postgreSQL.pool.idleCount == 4)
        store.postgreSQL.close()
    }

    @Test("read again when another transaction was in the way, as long as there is time")
    func conflictingReads() async throws {
        let time = ManualTime()
        try await TestCluster.withStore(
            "&pool_size=1",
            time: time.passingPauses,
            randomUnit: { 1 }
        ) { store in
            try await store.execute("CREATE SEQUENCE attempts")
            try await store.execute(
                """
                CREATE FUNCTION meet(count bigint) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
                    IF nextval('attempts') <= count THEN
                        RAISE 'in the way' USING ERRCODE = '40001';
                    END IF;
                    RETURN currval('attempts');
                END $$
                """
            )
            let meet = "SELECT meet($1)"
            let found = try await store.postgreSQL.pool.read([Statement(meet, [.integer(90)])])
                .get()
            #expect(try found[0].first?.count(0) == 91)
            let start = time.uptime
            let failed = try await store.postgreSQL.pool.read([Statement(meet, [.integer(1_000)])])
            #expect(throws: PostgreSQLFailure.self) { try failed.get() }
            #expect(time.uptime - start >= Retries.maximumTime)
        }
    }

    @Test("tell how many there are, how many calls wait, and for how long they did")
    func measured() async throws {
        let time = ManualTime()
        let metrics = PrometheusMetrics()
        try await TestCluster.withStore(
            "&pool_size=1",
            time: time.source,
            metrics: metrics
        ) { store in
            let connection = try await store.postgreSQL.pool.lend()
            let waiting = Task { try await store.postgreSQL.pool.lend() }
            try await waitUntil { store.postgreSQL.pool.waiterCount > 0 }
            let busy = PoolLoad(idleCount: 0, lentCount: 1, openingCount: 0, waitingCount: 1)
            #expect(store.load == .pool(busy))
            time.advance(bySeconds: 2)
            await store.postgreSQL.pool.giveBack(connection)
            await store.postgreSQL.pool.giveBack(try await waiting.value)
            let idle = PoolLoad(idleCount: 1, lentCount: 0, openingCount: 0, waitingCount: 0)
            #expect(store.load == .pool(idle))
            let told = metrics.exposition()
            #expect(told.contains("siwa_postgresql_wait_seconds_count 2\n"))
            #expect(told.contains("siwa_postgresql_wait_seconds_sum 2\n"))
        }
    }

    @Test("serve far more calls than there are connections")
    func shared() async throws {
        try await TestCluster.withStore("&pool_size=2") { store in
            let sample = SampleSignIn()
            try await store.signIn(sample)
            let found = try await AccountStoreConformance.atOnce(400) { _ in
                try await store.session(tokenHash: sample.token.hash, now: sample.now)?.session.id
            }
            #expect(Set(found) == [sample.session])
        }
    }

    @Test(
        "are refused with a reason",
        arguments: [
            ("postgres://app@127.0.0.1:1/siwa", "refused"),
            ("postgres://app@/siwa?host=/nowhere", "/nowhere"),
            ("postgres://app@no-such-host.invalid/siwa?sslmode=disable", "no-such-host.invalid"),
            ("postgres://app:wrong@127.0.0.1:PORT/postgres", "password authentication failed"),
            ("postgres://app:secret@127.0.0.1:PORT/nothing", "\"nothing\" does not exist"),
            ("postgres://app:secret@127.0.0.1:PORT/postgres?sslmode=require", "SSL"),
            (
                "postgres://app:secret@127.0.0.1:PORT/postgres?sslmode=verify-full",
                "SSL|certificate"
            ),
        ]
    )
    func wrongAddress(_ url: String, _ reason: String) async throws {
        let cluster = try await TestCluster.shared.value
        let settings = try ConnectionSettings(url: url.replacing("PORT", with: "\(cluster.port)"))
        let error = await expectFailure(.unavailable) {
            try await AccountStore(PostgreSQLDatabase(settings, logger: TestCluster.quiet))
        }
        let hint = try #require(error?.hint)
        #expect(reason.split(separator: "|").contains { hint.contains($0) }, "\(hint)")
        #expect(!hint.contains("wrong") && !hint.contains("secret"))
    }

    @Test("go to the host that can be written to, whichever is named first")
    func severalHosts() async throws {
        let cluster = try await TestCluster.shared.value
        let database = try await cluster.makeDatabase()
        let url = "postgres://app:secret@127.0.0.1:1,127.0.0.1:\(cluster.port)/\(database)"
        let store = try await TestCluster.patientStore(ConnectionSettings(url: url))
        try await store.checkWriting(as: ["k1=00"], now: SampleSignIn.start)
        store.postgreSQL.close()
        // One that takes no writes is no server at all.
        try await cluster.administer(
            "ALTER DATABASE \(database) SET default_transaction_read_only = on"
        )
        let error = await #expect(throws: AccountStoreError.self) {
            try await AccountStore(
                PostgreSQLDatabase(
                    ConnectionSettings(url: url),
                    logger: TestCluster.quiet
                )
            )
        }
        #expect(error?.hint.contains("read-only") == true)
    }

    @Test(
        "name the same statement alike, and two statements never, whichever connection prepares them"
    )
    func names() async throws {
        try await TestCluster.withStore("&pool_size=2") { store in
            let first = try await store.postgreSQL.pool.lend()
            let second = try await store.postgreSQL.pool.lend()
            let names = Statement.command("SELECT name FROM pg_prepared_statements ORDER BY name")
            var found: [[String]] = []
            for (connection, order) in [(first, ["a", "b"]), (second, ["b", "a"])] {
                let statements = order.map { Statement("SELECT '\($0)'", []) }
                _ = try await connection.exchange(statements).get()
                let rows = try await connection.exchange([names]).get()[0]
                found.append(try rows.rows.map { try $0.text(0) })
            }
            #expect(found[0] == found[1])
            #expect(Set(found[0]).count == 2)
            await store.postgreSQL.pool.giveBack(first)
            await store.postgreSQL.pool.giveBack(second)
        }
    }

    @Test("name a statement anew that the server passed over: a pooler knows the first name")
    func passedOver() async throws {
        try await TestCluster.withStore("&pool_size=1") { store in
            let connection = try await store.postgreSQL.pool.lend()
            let statement = Statement("SELECT 'passed over'", [])
            await connection.passOver(statement)
            for _ in 0..<2 {
                let rows = try await connection.exchange([statement]).get()[0]
                #expect(try rows.first?.text(0) == "passed over")
            }
            let names = Statement.command(
                "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%passed over%'"
            )
            let found = try await connection.exchange([names]).get()[0]
            #expect(found.rows.count == 1)
            #expect(try found.first?.text(0).hasSuffix("_2") == true)
            await store.postgreSQL.pool.giveBack(connection)
        }
    }
}
