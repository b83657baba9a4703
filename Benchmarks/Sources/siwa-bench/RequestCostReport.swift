import Foundation

/// The cost of a request on PostgreSQL for the replica and the database: figures of docs/scale.json.
enum RequestCostReport {
    private static let signInCount = 20_000
    /// So many accounts that the pages which a new database has anyway do not count.
    private static let accountCount = 200_000

    static func make(apple: ServedApple) async throws -> [FigureTable] {
        let database = try PostgreSQLServer()
        let address = try database.makeDatabase("cost")
        let replica = try apple.accountsServer(database: address)
        let size = "SELECT pg_database_size('cost')"
        let empty = try number(database.query(size, in: "cost"))
        try ManyAccounts(count: accountCount).fill(database, "cost")
        let full = try number(database.query(size, in: "cost"))
        let bodies = try await apple.signIns(0..<signInCount)
        let position = try database.query("SELECT pg_current_wal_lsn()", in: "cost")
        let signIn = try await cost(replica, database) {
            try await Load.postHere(
                bodies,
                type: SignInServers.type,
                to: replica.url.appending(path: "api/sessions/apple")
            ).count
        }
        let log = try number(
            database.query("SELECT pg_current_wal_lsn() - '\(position)'", in: "cost")
        )
        let load = Load(
            url: replica.url.appending(path: "api/account"),
            token: ManyAccounts.token(1)
        )
        let check = try await cost(replica, database) { try await load.round().count }
        return [
            FigureTable(
                title: "Processor time of a request on PostgreSQL",
                unit: "µs",
                rows: [
                    FigureTable.Row(name: "session check, replica", value: check.replica),
                    FigureTable.Row(name: "session check, database", value: check.database),
                    FigureTable.Row(name: "first sign-in, replica", value: signIn.replica),
                    FigureTable.Row(name: "first sign-in, database", value: signIn.database),
                ]
            ),
            FigureTable(
                title: "Storage per account in PostgreSQL",
                unit: "bytes",
                rows: [
                    FigureTable.Row(
                        name: "stored, with one session",
                        value: (full - empty) / Double(accountCount)
                    ),
                    FigureTable.Row(
                        name: "write-ahead log of a first sign-in",
                        value: log / Double(signInCount)
                    ),
                ]
            ),
        ]
    }

    /// Microseconds of processor time for a request.
    private static func cost(
        _ replica: ServerProcess,
        _ database: PostgreSQLServer,
        _ body: () async throws -> Int
    ) async throws -> (replica: Double, database: Double) {
        let before = (replica.figures.processorSeconds ?? 0, try database.processorSeconds)
        let count = Double(try await body())
        let after = (replica.figures.processorSeconds ?? 0, try database.processorSeconds)
        let microseconds = 1_000_000 / count
        return ((after.0 - before.0) * microseconds, (after.1 - before.1) * microseconds)
    }

    private static func number(_ text: String) throws -> Double {
        guard let number = Double(text) else { throw BenchError("\(text) is not a number") }
        return number
    }
}
