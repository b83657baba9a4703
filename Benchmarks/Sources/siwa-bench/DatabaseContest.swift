import Accounts
import AccountsPostgreSQL
import AccountsServer
import Foundation

/// The accounts server on PostgreSQL: against pgbench, against itself on SQLite, and two of it against one.
enum DatabaseContest {
    private static let readerCount = 16
    private static let readCount = 40_000
    /// Single turns scatter by a third here.
    private static let turnCount = 5
    /// As many rows as pgbench's table has.
    private static let sessionCount = 100_000

    static func make(apple: ServedApple) async throws -> [Contest] {
        let server = try PostgreSQLServer()
        let database = try server.makeDatabase("siwa")
        _ = try server.makeDatabase("floor")
        try server.preparePgbench("floor")
        try server.query(
            "CREATE TABLE person (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT)",
            in: "floor"
        )
        let rows = try server.makeDatabase("rows")
        try apple.accountsServer(database: rows).end()
        let replicas = try (0..<2).map { _ in try apple.accountsServer(database: database) }
        try ManyAccounts(count: sessionCount).fill(server, "siwa")
        var contests = [
            try await reads(server, database),
            try await checks(apple, replicas[0]),
            try await signIns(apple, server, replicas[0]),
        ]
        if ProcessFigures.areTold { contests.append(twoReplicas(replicas)) }
        return contests
    }

    /// What the store reads, asked by a client that does nothing else.
    private static let sessionScript = """
        \\set n random(1, \(sessionCount))
        SELECT * FROM sessions
            JOIN accounts ON accounts.id = sessions.account_id
            LEFT JOIN apple_identities ON apple_identities.account_id = accounts.id
        WHERE token_hash = sha256(convert_to(lpad(:n::text, 43, 'A'), 'UTF8'));
        """

    /// What a first sign-in writes, without a rule and a check of a token.
    private static let signInScript = """
        WITH fresh AS MATERIALIZED (
            SELECT gen_random_uuid()::text AS id
        ), account AS (
            INSERT INTO accounts (id, name, email, email_key, email_is_verified,
                email_is_private_relay, email_is_own, mail_is_forwarded, created_at)
            SELECT id, '{"givenName":"Maya","familyName":"Ng"}',
                'maya@example.com', 'maya@example.com', true, false, false, true, 0
            FROM fresh
            RETURNING id
        ), identity AS (
            INSERT INTO apple_identities (issuer, subject, account_id, client_id, linked_at,
                consented_at, has_refresh_token)
            SELECT '\(BenchApple.issuer)', gen_random_uuid()::text, id, '\(BenchApple.clientID)',
                0, 0, false
            FROM account
        ), session AS (
            INSERT INTO sessions (token_hash, id, account_id, device, sign_in_method, created_at,
                signed_in_at, last_used_at, expires_at)
            SELECT uuid_send(gen_random_uuid()), gen_random_uuid()::text, id, 'bench', 'apple',
                0, 0, 0, 0
            FROM account
        ), uses AS (
            INSERT INTO used_once (hash, remembered_until)
            SELECT uuid_send(gen_random_uuid()), 0
            FROM generate_series(1, 2)
        )
        INSERT INTO audit_entries (id, occurred_at, action, actor, account_id)
        SELECT gen_random_uuid()::text, 0, 'signed_in', 'person', id FROM account;
        """

    /// Reads of sessions at the store, without HTTP, from this process.
    private static func reads(_ server: PostgreSQLServer, _ database: String) async throws
        -> Contest
    {
        let store = try await AccountStore(PostgreSQLDatabase(ConnectionSettings(url: database)))
        let hashes = (0..<readCount).map { _ in
            SecretHash(of: ManyAccounts.token(.random(in: 1...sessionCount)))
        }
        return Contest(
            title: "Session read at the store on PostgreSQL, \(readerCount) callers",
            contenders: [
                Contest.Contender(name: "pgbench -S -M prepared") {
                    try server.pgbench(clients: readerCount, in: "floor")
                },
                Contest.Contender(name: "pgbench, a session with its account") {
                    try server.pgbench(script: Self.sessionScript, clients: readerCount, in: "siwa")
                },
                Contest.Contender(name: "store") {
                    try await rate(count: readCount) {
                        try await Load.concurrently(hashes, lanes: readerCount) { hash in
                            guard try await store.session(tokenHash: hash, now: Date()) != nil
                            else { throw BenchError("a session was not found") }
                        }
                    }
                },
            ]
        )
    }

    private static func checks(
        _ apple: ServedApple,
        _ replica: ServerProcess
    ) async throws -> Contest {
        let file = try apple.accountsServer(folder: BenchFolder.make())
        let servers = [("on SQLite", file), ("on PostgreSQL", replica)]
        var contenders: [Contest.Contender] = []
        for (name, server) in servers {
            let token = try await apple.signIn(person: 1_000_000, at: server)
            let load = Load(url: server.url.appending(path: "api/account"), token: token)
            contenders.append(
                Contest.Contender(name: name) {
                    // The server ends with its last owner.
                    defer { withExtendedLifetime(server) {} }
                    return try await load.measure()
                }
            )
        }
        return Contest(
            title: "Session check over HTTP",
            contenders: contenders,
            turnCount: turnCount
        )
    }

    private static func signIns(
        _ apple: ServedApple,
        _ server: PostgreSQLServer,
        _ replica: ServerProcess
    ) async throws -> Contest {
        let people = PersonNumbers()
        let connections = Load.connectionCount
        let url = replica.url.appending(path: "api/sessions/apple")
        let refused = try await RefusedSignIns(apple, url)
        return Contest(
            title:
                "Native first sign-ins on PostgreSQL (synchronous_commit=on), \(connections) callers",
            contenders: [
                Contest.Contender(name: "pgbench, one durable insert each") {
                    try server.pgbench(
                        script: "INSERT INTO person (name) VALUES ('Maya Ng');",
                        clients: connections,
                        in: "floor"
                    )
                },
                Contest.Contender(name: "pgbench, the rows of a sign-in") {
                    try server.pgbench(
                        script: Self.signInScript,
                        clients: connections,
                        in: "rows"
                    )
                },
                Contest.Contender(name: "accounts server, verified and refused") {
                    try await refused.measure()
                },
                Contest.Contender(name: "accounts server") {
                    // The server ends with its last owner.
                    defer { withExtendedLifetime(replica) {} }
                    return try await Load.post(
                        apple.signIns(people.next(10_000)),
                        type: SignInServers.type,
                        to: url
                    ).rate
                },
            ],
            turnCount: turnCount
        )
    }

    /// Two cores can't carry two replicas, a database and the load; what a request costs shows all the same.
    private static func twoReplicas(_ replicas: [ServerProcess]) -> Contest {
        let loads = replicas.map {
            Load(url: $0.url.appending(path: "api/account"), token: ManyAccounts.token(1))
        }
        return Contest(
            title: "Session checks on PostgreSQL by the processor time of the replicas",
            contenders: [
                Contest.Contender(name: "one replica") {
                    try await replicas[0].processorRate { try await loads[0].round().count }
                },
                Contest.Contender(name: "two replicas") {
                    let processes = replicas.map(\.figures)
                    let before = processes.compactMap(\.processorSeconds).reduce(0, +)
                    async let first = loads[0].round().count
                    async let second = loads[1].round().count
                    let count = try await first + second
                    let after = processes.compactMap(\.processorSeconds).reduce(0, +)
                    return Double(count) / (after - before)
                },
            ]
        )
    }
}
