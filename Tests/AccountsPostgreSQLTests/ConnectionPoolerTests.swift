import AccountStoreConformance
import Accounts
import AppleIdentity
import Synchronization
import TestSupport
import Testing

@testable import AccountsPostgreSQL

@Suite("Through PgBouncer in transaction mode", .timeLimit(.minutes(2)))
struct ConnectionPoolerTests {
    @Test("the store is a store", arguments: AccountStoreConformance.checks)
    func conforms(_ check: AccountStoreConformance.Check) async throws {
        let pooler = try await TestPooler.shared.value
        for preparation in pooler.preparations {
            try await pooler.withStore("&prepared_statements=\(preparation)") {
                try await check.run($0)
            }
        }
    }

    @Test("a fifth transaction begins on the connection of the first of four that ends")
    func shared() async throws {
        let pooler = try await TestPooler.shared.value
        try await pooler.withStore("&prepared_statements=off") { store in
            var open: [PostgreSQLConnection] = []
            var processes: [Int] = []
            for _ in 0..<4 {
                let connection = try await store.postgreSQL.pool.lend()
                let rows = try await connection.exchange([.command("BEGIN"), Self.process]).get()
                processes.append(try #require(rows[1].first).count(0))
                open.append(connection)
            }
            #expect(Set(processes).count == 4)
            let fifth = try await store.postgreSQL.pool.lend()
            let waiting = Task { try await fifth.exchange([Self.process]).get()[0] }
            _ = try await open[2].exchange([.command("COMMIT")]).get()
            #expect(try await waiting.value.first?.count(0) == processes[2])
            for connection in open { await store.postgreSQL.pool.giveBack(connection) }
            await store.postgreSQL.pool.giveBack(fifth)
        }
    }

    @Test("a statement that was passed over, because one before it failed, is carried out later")
    func passedOver() async throws {
        let pooler = try await TestPooler.shared.value
        for preparation in pooler.preparations {
            try await pooler.withStore("&prepared_statements=\(preparation)&pool_size=1") { store in
                let connection = try await store.postgreSQL.pool.lend()
                let statement = Statement("SELECT 'passed over'", [])
                await connection.passOver(statement)
                let rows = try await connection.exchange([statement]).get()[0]
                #expect(try rows.first?.text(0) == "passed over")
                await store.postgreSQL.pool.giveBack(connection)
            }
        }
    }

    @Test("limits end with the transaction that has set them, and not with its connection")
    func limits() async throws {
        let pooler = try await TestPooler.shared.value
        let user = try await pooler.makeUser()
        // All clients of this database share one connection.
        let url = pooler.url("one", user: user, "&prepared_statements=off")
        let settings = try ConnectionSettings(url: url)
        let first = try await PostgreSQLConnection.open(settings, time: .live)
        let second = try await PostgreSQLConnection.open(settings, time: .live)
        let shown = Statement.command(
            """
            SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
                current_setting('idle_in_transaction_session_timeout'),
                current_setting('enable_seqscan'), pg_backend_pid()::bigint
            """
        )
        let begin = Statement.command("BEGIN")
        let commit = Statement.command("COMMIT")
        for (statements, scan) in [
            ([settings.limits, shown], "on"), ([begin, settings.limits, shown, commit], "on"),
            ([begin, settings.keyLimits, shown, commit], "off"),
        ] {
            let rows = try await first.exchange(statements).get()
            let index = try #require(statements.firstIndex(of: shown))
            let inside = try #require(rows[index].first)
            #expect(try Self.texts(inside) == ["4s", "4s", "4s", scan])
            let next = try #require(try await second.exchange([shown]).get()[0].first)
            #expect(try Self.texts(next) == ["0", "0", "0", "on"])
            #expect(try next.count(4) == inside.count(4))
        }
        await first.close()
        await second.close()
    }

    @Test("the tables are made once by eight programs that start at once")
    func startedAtOnce() async throws {
        let pooler = try await TestPooler.shared.value
        let user = try await pooler.makeUser()
        let url = pooler.url("postgres", user: user, "&prepared_statements=off&pool_size=2")
        let settings = try ConnectionSettings(url: url)
        let counts = try await AccountStoreConformance.atOnce(8) { number in
            let store = try await TestCluster.patientStore(settings)
            defer { store.postgreSQL.close() }
            var sample = SampleSignIn()
            sample.user = UserID("\(number)")
            #expect(try await store.signIn(sample).isNewAccount)
            let versions = try await store.execute("SELECT count(*) FROM schema_versions")
            return try versions.first?.count(0)
        }
        #expect(counts == Array(repeating: PostgreSQLSchema.migrations.count, count: 8))
    }

    @Test(
        "no sign-in that was answered is lost when it is restarted or killed, and all are done in the end",
        arguments: ["restart-pooler", "crash-pooler"]
    )
    func restarted(_ command: String) async throws {
        let cluster = try await TestCluster()
        let pooler = try await TestPooler(cluster)
        let url = pooler.url("postgres", "&prepared_statements=off&pool_size=8")
        let store = try await TestCluster.patientStore(ConnectionSettings(url: url))
        let isOver = Atomic(false)
        let done = Mutex<[SampleSignIn]>([])
        async let counts = AccountStoreConformance.atOnce(12) { client in
            var number = 0
            while !isOver.load(ordering: .relaxed) {
                number += 1
                var sample = SampleSignIn()
                sample.user = UserID("\(client) \(number)")
                try await Self.insist(on: sample, store)
                done.withLock { [sample] in $0.append(sample) }
            }
            return number
        }
        for _ in 0..<3 {
            let count = done.withLock(\.count)
            try await waitUntil { done.withLock(\.count) >= count + 40 }
            try await cluster.command(command)
        }
        let count = done.withLock(\.count)
        try await waitUntil { done.withLock(\.count) >= count + 40 }
        isOver.store(true, ordering: .relaxed)
        let signInCount = try await counts.reduce(0, +)
        let samples = done.withLock(\.self)
        for sample in samples {
            let found = try await store.session(tokenHash: sample.token.hash, now: sample.now)
            #expect(found?.session.id == sample.session)
        }
        let accounts = try await store.execute("SELECT count(*) FROM accounts")
        #expect(try accounts.first?.count(0) == signInCount)
        store.postgreSQL.close()
    }

    /// Asks again until it is done, as a client does.
    private static func insist(
        on sample: SampleSignIn,
        _ store: AccountStore
    ) async throws {
        while true {
            do throws(AccountStoreError) {
                let outcome = try await store.completeSignIn(sample.commit)
                guard case .success(let signedIn) = outcome else {
                    Issue.record("the sign-in was refused: \(outcome)")
                    return
                }
                #expect(signedIn.session.id == sample.session)
                return
            } catch {
                guard error.kind != .failed else { throw error }
            }
        }
    }

    private static let process = Statement.command("SELECT pg_backend_pid()::bigint")

    private static func texts(_ row: SQLRow) throws -> [String] {
        var texts: [String] = []
        for column in 0..<4 { texts.append(try row.text(column)) }
        return texts
    }
}
