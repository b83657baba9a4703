import Foundation
import Synchronization

/// How long one caller waits with very many accounts, against ten thousand.
enum ScaleContest {
    private static let fewCount = 10_000
    /// Ten million, unless `SIWA_BENCH_ACCOUNTS` says otherwise.
    private static var manyCount: Int {
        ProcessInfo.processInfo.environment["SIWA_BENCH_ACCOUNTS"].flatMap { Int($0) } ?? 10_000_000
    }

    /// So many short turns of each in a round that a stall of the machine spoils few of them.
    private static let turnCount = 7

    private struct Served {
        let name: String
        let count: Int
        let server: ServerProcess
        /// Where the accounts are.
        let files: URL
        /// Ends with its last owner.
        let database: PostgreSQLServer

        /// What is left of a check from the file when all but SQLite's statement costs nothing.
        var statementAlone: Contest.Contender {
            get throws {
                let file = files.appending(path: "siwa.sqlite")
                let statement = try StatementAlone(file: file, sessionCount: count)
                return Contest.Contender(name: name) { try await statement.measure() }
            }
        }
    }

    /// Counts the turns of a contender.
    private final class Turns: Sendable {
        private let count = Mutex(0)

        /// Reads a server's files into the system's memory before the first turn of each round.
        func warm(_ files: URL) throws {
            let turn = count.withLock { count in
                defer { count += 1 }
                return count
            }
            // The turn before the first round isn't counted.
            if turn == 0 || turn % turnCount == 1 { try BenchFolder.warm(files) }
        }
    }

    static func make(apple: ServedApple) async throws -> [Contest] {
        let postgreSQL = try PostgreSQLServer()
        var contests: [Contest] = []
        for (name, start) in [("SQLite", startOnSQLite), ("PostgreSQL", startOnPostgreSQL)] {
            let servers = try [fewCount, manyCount].map { count in
                let (server, files) = try start(apple, postgreSQL, count)
                return Served(
                    name: "\(count) accounts",
                    count: count,
                    server: server,
                    files: files,
                    database: postgreSQL
                )
            }
            contests += [
                checks(name, servers), signIns(name, servers, apple),
            ]
            if name == "SQLite" { contests.append(try statements(servers)) }
        }
        return contests
    }

    private static func startOnSQLite(
        _ apple: ServedApple,
        _ postgreSQL: PostgreSQLServer,
        _ count: Int
    ) throws -> (ServerProcess, URL) {
        let folder = try BenchFolder.make()
        try apple.accountsServer(folder: folder).end()
        try ManyAccounts(count: count).fill(folder.appending(path: "siwa.sqlite"))
        return (try apple.accountsServer(folder: folder), folder)
    }

    private static func startOnPostgreSQL(
        _ apple: ServedApple,
        _ postgreSQL: PostgreSQLServer,
        _ count: Int
    ) throws -> (ServerProcess, URL) {
        let database = try postgreSQL.makeDatabase("accounts_\(count)")
        let server = try apple.accountsServer(database: database)
        try ManyAccounts(count: count).fill(postgreSQL, "accounts_\(count)")
        return (server, postgreSQL.files)
    }

    private static func checks(_ database: String, _ servers: [Served]) -> Contest {
        Contest(
            title: "Session checks of any account on \(database), one caller",
            contenders: servers.map { served in
                let turns = Turns()
                return Contest.Contender(name: served.name) {
                    try turns.warm(served.files)
                    return try Load.checks(
                        at: served.server.url.appending(path: "api/account"),
                        sessionCount: served.count
                    )
                }
            },
            turnCount: turnCount
        )
    }

    private static func statements(_ servers: [Served]) throws -> Contest {
        Contest(
            title: "SQLite's statement of such a check alone, one thread",
            contenders: try servers.map { try $0.statementAlone },
            turnCount: turnCount
        )
    }

    private static func signIns(
        _ database: String,
        _ servers: [Served],
        _ apple: ServedApple
    ) -> Contest {
        let people = PersonNumbers()
        return Contest(
            title: "Native first sign-ins on \(database), one caller",
            contenders: servers.map { served in
                let turns = Turns()
                return Contest.Contender(name: served.name) {
                    let bodies = try await apple.signIns(people.next(3_000))
                    try turns.warm(served.files)
                    return try await Load.post(
                        bodies,
                        type: SignInServers.type,
                        to: served.server.url.appending(path: "api/sessions/apple"),
                        connections: 1
                    ).rate
                }
            },
            turnCount: turnCount
        )
    }
}
