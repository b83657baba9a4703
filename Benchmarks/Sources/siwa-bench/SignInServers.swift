import Foundation

/// The accounts server, and what it is compared with at first sign-ins, on the same disk.
struct SignInServers {
    static let type = "application/json"

    /// How many bodies are ready for one round: more than a second is enough for.
    private static func readyCount(_ connections: Int) -> Int { connections == 1 ? 5_000 : 12_000 }
    /// How many the bare route gets, for which nothing has to be signed.
    private static let bareReadyCount = 20_000

    private let apple: ServedApple
    private let disk: SlowDisk?
    private let people = PersonNumbers()
    private let accounts: ServerProcess
    private let bare: ServerProcess
    private let inserts: InsertProcess

    /// Starts them.
    ///
    /// - Parameters:
    ///   - apple: whose tokens people bring.
    ///   - disk: the simulated disk; this machine's by default.
    /// - Throws: ``BenchError`` when one of them does not start.
    init(apple: ServedApple, disk: SlowDisk? = nil) throws {
        let environment = disk?.environment ?? [:]
        self.apple = apple
        self.disk = disk
        accounts = try apple.accountsServer(folder: BenchFolder.make(), environment: environment)
        bare = try ServerProcess(
            .insertingRoute(folder: BenchFolder.make()),
            environment: environment
        )
        inserts = try InsertProcess(folder: BenchFolder.make(), environment: environment)
    }

    /// The floor, what HTTP adds to it, and the accounts server.
    ///
    /// - Parameter insertCount: how many inserts make one round of the floor.
    /// - Returns: one contender for each, those over HTTP for many connections and for one.
    func contenders(insertCount: Int) -> [Contest.Contender] {
        [
            Contest.Contender(name: "SQLite, one durable insert each") {
                let rate = try inserts.rate(count: insertCount)
                guard disk == nil || rate * SlowDisk.flushSeconds <= 1 else {
                    throw BenchError("the flushes were not slow")
                }
                return rate
            }
        ]
            + [Load.connectionCount, 1].flatMap { connections in
                [
                    Contest.Contender(name: Self.bareName(connections)) {
                        try await bareInserts(connections).rate
                    },
                    Contest.Contender(name: Self.name(connections)) {
                        try await signIns(connections).rate
                    },
                ]
            }
    }

    /// The same with as many connections as there are, by the processor time of each server.
    var processorContenders: [Contest.Contender] {
        let connections = Load.connectionCount
        return [
            Contest.Contender(name: Self.bareName(connections)) {
                try await bare.processorRate { try await bareInserts(connections).count }
            },
            Contest.Contender(name: Self.name(connections)) {
                let bodies = try await bodies(connections)
                return try await accounts.processorRate {
                    try await Self.post(bodies, to: accounts, connections).count
                }
            },
        ]
    }

    /// How the accounts server is called in the tables.
    static func name(_ connections: Int) -> String {
        "accounts server, " + text(connections)
    }

    private static func bareName(_ connections: Int) -> String {
        "bare route, one durable insert, " + text(connections)
    }

    private static func text(_ connections: Int) -> String {
        "\(connections) connection\(connections == 1 ? "" : "s")"
    }

    private func signIns(_ connections: Int) async throws -> (count: Int, rate: Double) {
        try await Self.post(try await bodies(connections), to: accounts, connections)
    }

    /// The route reads the body of a sign-in, and does not look at it.
    private func bareInserts(_ connections: Int) async throws -> (count: Int, rate: Double) {
        let body = NativeSignInRequest.body(identityToken: try apple.apple.token(person: 1))
        let bodies = Array(repeating: body, count: Self.bareReadyCount)
        return try await Self.post(bodies, to: bare, connections)
    }

    /// Signing is Apple's work, so it is done before the clock starts.
    private func bodies(_ connections: Int) async throws -> [Data] {
        try await apple.signIns(people.next(Self.readyCount(connections)))
    }

    private static func post(
        _ bodies: [Data],
        to server: ServerProcess,
        _ connections: Int
    ) async throws -> (count: Int, rate: Double) {
        try await Load.post(
            bodies,
            type: type,
            to: server.url.appending(path: "api/sessions/apple"),
            connections: connections
        )
    }
}
