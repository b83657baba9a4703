import Foundation

/// The memory of a separate accounts server process.
enum MemoryReport {
    /// How many session checks it is measured after.
    private static let checkCount = 1_000_000
    /// How many sessions the store keeps in memory (`SQLiteDatabase.maximumCachedSessionCount`).
    private static let cachedSessionCount = 20_000

    /// The server on PostgreSQL, which keeps no sessions in memory.
    static func makeOnPostgreSQL(apple: ServedApple) async throws -> FigureTable {
        let database = try PostgreSQLServer()
        let server = try apple.accountsServer(database: database.makeDatabase("memory"))
        return FigureTable(
            title: "Resident memory of a replica on PostgreSQL",
            unit: "MB",
            rows: try await checks(server, apple)
        )
    }

    static func make(apple: ServedApple) async throws -> FigureTable {
        let server = try apple.accountsServer(folder: BenchFolder.make())
        var rows = try await checks(server, apple)
        _ = try await Load.postHere(
            apple.signIns(1..<cachedSessionCount),
            type: SignInServers.type,
            to: server.url.appending(path: "api/sessions/apple")
        )
        rows.append(try row("then with \(cachedSessionCount) sessions, the cache full", server))
        return FigureTable(
            title: "Resident memory of the accounts server's process",
            unit: "MB",
            rows: rows
        )
    }

    private static func checks(
        _ server: ServerProcess,
        _ apple: ServedApple
    ) async throws -> [FigureTable.Row] {
        var rows = [try row("just started", server, isFloor: true)]
        let token = try await apple.signIn(person: 0, at: server)
        let load = Load(url: server.url.appending(path: "api/account"), token: token)
        var count = 0
        while count < checkCount { count += try await load.round().count }
        let checks = "\(count / 1_000_000).\(count / 100_000 % 10) million session checks"
        rows.append(try row("after \(checks), one session", server))
        return rows
    }

    private static func row(
        _ name: String,
        _ server: ServerProcess,
        isFloor: Bool = false
    ) throws -> FigureTable.Row {
        let figures = server.figures
        guard let now = figures.residentMegabytes, let heap = figures.anonymousMegabytes,
            let most = figures.mostResidentMegabytes
        else { throw BenchError("the accounts server has ended") }
        let note = String(
            format: "%.1f MB of it heap and stacks, at most %.1f MB so far",
            heap,
            most
        )
        return FigureTable.Row(name: name, value: now, note: note, isFloor: isFloor)
    }
}
