import AccountStoreConformance
import Accounts
import AppleIdentity
import CoreMetrics
import TestSupport
import Testing

@testable import AccountsPostgreSQL

@Suite("The servers that an address names", .timeLimit(.minutes(1)))
struct DatabaseHostsTests {
    @Test(
        "are tried from any of them on, each with its own port",
        arguments: [
            (["host": "a,b,c", "port": "1,2,3"], ["host": "b,c,a", "port": "2,3,1"]),
            (["host": "a,b", "port": "5432"], ["host": "b,a"]),
            (
                ["host": "a,", "hostaddr": "::1,::2", "port": ",7"],
                ["host": ",a", "hostaddr": "::2,::1", "port": "7,"]
            ),
            // libpq refuses lists that don't match, and says so.
            (["host": "a,b,c", "hostaddr": "::1,::2"], ["hostaddr": "::2,::1"]),
            (["host": "/run/postgresql", "dbname": "a,b"], [:]),
            (["dbname": "siwa"], [:]),
        ]
    )
    func rotated(_ parameters: [String: String], _ expected: [String: String]) {
        let hosts = DatabaseHosts(parameters, environment: [:])
        #expect(hosts.parameters(beginningWith: hosts.count > 1 ? 1 : 0) == expected)
    }

    @Test("stay in their order when the environment has a list that belongs to them")
    func environment() {
        let hosts = DatabaseHosts(["host": "a,b"], environment: ["PGPORT": "5432,5433"])
        #expect(hosts.count == 1)
        #expect(hosts.parameters(beginningWith: 0).isEmpty)
        #expect(DatabaseHosts(["host": "a,b"], environment: ["PGPORT": "5433"]).count == 2)
    }

    /// What libpq says of a connection, and which of the servers that is.
    struct Server {
        let parameters: [String: String]
        let host: String
        var address = "::1"
        var port = "5432"
        let number: Int?
    }

    private static let servers: [Server] = [
        Server(parameters: ["host": "a,b", "port": "5432"], host: "b", number: 1),
        Server(parameters: ["host": "a,a", "port": "1,2"], host: "a", port: "2", number: 1),
        Server(
            parameters: ["host": "db,db", "hostaddr": "::1,::2"],
            host: "db",
            address: "::2",
            number: 1
        ),
        Server(parameters: ["host": "a,"], host: "/run/postgresql", address: "", number: 1),
        Server(parameters: ["host": "a,a", "port": "6432,"], host: "a", port: "", number: 1),
        Server(parameters: ["host": "a,a", "port": "6432,"], host: "a", number: 1),
        Server(parameters: ["host": "a,a"], host: "a", number: nil),
        Server(parameters: ["host": "a,b"], host: "c", number: nil),
        Server(parameters: ["dbname": "siwa"], host: "/run/postgresql", address: "", number: 0),
    ]

    @Test("are known by what libpq says of a connection, as far as they differ", arguments: servers)
    func recognized(_ server: Server) {
        let hosts = DatabaseHosts(server.parameters, environment: [:])
        let found = hosts.number(host: server.host, address: server.address, port: server.port)
        #expect(found == server.number)
    }

    @Test("are not left because of a COMMIT, which may wait for another server")
    func committing() async throws {
        try await withTwoHosts { pool, time, loseAnswer in
            let connection = try await pool.lend()
            try await loseAnswer(connection, true)
            #expect(try await pool.lend().state.host == 0)
        }
    }

    @Test("are left for the next one when an answer is missing, and that one is kept")
    func hanging() async throws {
        try await withTwoHosts { pool, time, loseAnswer in
            var first: [PostgreSQLConnection] = []
            for _ in 0..<3 { first.append(try await pool.lend()) }
            #expect(first.map(\.state.host) == [0, 0, 0])
            await pool.giveBack(first[0])
            try await loseAnswer(first[1], false)
            // It had come back before, and its server is suspected.
            #expect(pool.idleCount == 0)
            let second = [try await pool.lend(), try await pool.lend()]
            #expect(second.map(\.state.host) == [1, 1])
            await pool.giveBack(second[0])
            // Another answer of the first server's is missing: that says nothing about the second one.
            try await loseAnswer(first[2], false)
            #expect(pool.idleCount == 1)
            #expect(try await pool.lend() === second[0])
            #expect(try await pool.lend().state.host == 1)
            try await loseAnswer(second[1], false)
            #expect(try await pool.lend().state.host == 0)
        }
    }

    /// Lends connections to a server that is reached by two addresses, and what makes one of them wait in vain and come
    /// back.
    private func withTwoHosts(
        _ body: (
            ConnectionPool, ManualTime,
            (_ lost: PostgreSQLConnection, _ commits: Bool) async throws -> Void
        ) async throws -> Void
    ) async throws {
        let port = try await TestCluster.shared.value.port
        try await TestProxy.with(port: port) { first in
            try await TestProxy.with(port: port) { second in
                let hosts = "127.0.0.1:\(first.port),127.0.0.1:\(second.port)"
                let address = "postgres://app:secret@\(hosts)/postgres?sslmode=disable"
                let time = ManualTime()
                let pool = ConnectionPool(
                    try ConnectionSettings(url: address),
                    time: time.source,
                    randomUnit: { 1 },
                    logger: TestCluster.quiet,
                    metrics: NOOPMetricsHandler.instance
                )
                defer { pool.close() }
                try await body(pool, time) { connection, commits in
                    let proxy = [first, second][connection.state.host]
                    try await Self.loseAnswer(on: connection, commits: commits, by: proxy, time)
                    await pool.giveBack(connection)
                }
            }
        }
    }

    private static func loseAnswer(
        on connection: PostgreSQLConnection,
        commits: Bool,
        by proxy: TestProxy,
        _ time: ManualTime
    ) async throws {
        proxy.lose(.silence(after: "SELECT"))
        let asking = Task { await connection.exchange([.command("SELECT 1")], commits: commits) }
        try await waitUntil { proxy.isLost }
        time.advance(bySeconds: 5)
        guard case .failure(let failure) = await asking.value else {
            Issue.record("there was an answer")
            return
        }
        #expect(failure.hint.contains("no response within 5"))
    }
}
