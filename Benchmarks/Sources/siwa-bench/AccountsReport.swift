import Foundation
import GRDB

/// What the accounts server's memory and its clean-up cost, where a ratio says nothing.
enum AccountsReport {
    /// How many session checks the memory is measured after.
    private static let checkCount = 1_000_000
    /// How many expired rows are cleaned up.
    private static let expiredCount = 1_000_000
    /// How many are put in at once, so that the server's own writes go on.
    private static let insertedCount = 50_000
    /// How long the clean-up may take to begin and to end, in seconds.
    private static let maximumSeconds = 300

    static func make(apple: BenchApple) async throws -> String {
        let folder = try BenchFolder.make()
        let server = try await BenchServer.accounts(apple: apple, folder: folder)
        let memory = try await memory(apple, server)
        let database = folder.appending(path: "siwa.sqlite").path
        let stall = try await cleanUp(apple, server, database)
        return memory + stall
    }

    private static func memory(_ apple: BenchApple, _ server: URL) async throws -> String {
        let token = try await signIn(apple, server, person: 1)
        let before = PeopleReport.residentMegabytes
        let load = Load(url: server.appending(path: "api/account"), token: token)
        var count = 0
        while count < checkCount { count += try await load.round().count }
        return """

            Memory of this process, the accounts server in it
              \(before) MB before and \(PeopleReport.residentMegabytes) MB after \(count) session checks

            """
    }

    /// The longest sign-in beside the clean-up, and before it.
    private static func cleanUp(
        _ apple: BenchApple,
        _ server: URL,
        _ path: String
    ) async throws -> String {
        let database = try DatabaseQueue(path: path)
        for _ in 0..<expiredCount / insertedCount {
            try await database.write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE number(n) AS
                            (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                        INSERT INTO used_once SELECT randomblob(32), 1 FROM number
                        """,
                    arguments: [insertedCount]
                )
            }
        }
        var stalls = (before: 0.0, during: 0.0)
        var person = 10_000_000
        let clock = ContinuousClock()
        let start = clock.now
        while clock.now - start < .seconds(maximumSeconds) {
            let left = try await expired(database)
            if left == 0 { break }
            for _ in 0..<50 {
                person += 1
                let seconds = try await signInSeconds(apple, server, person: person)
                if left == expiredCount {
                    stalls.before = max(stalls.before, seconds)
                } else {
                    stalls.during = max(stalls.during, seconds)
                }
            }
        }
        let left = try await expired(database)
        return """

            Clean-up of \(expiredCount) expired rows, \(left) left
              longest sign-in before it \(milliseconds(stalls.before)), beside it \
            \(milliseconds(stalls.during))
            """
    }

    private static func expired(_ database: DatabaseQueue) async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM used_once WHERE remembered_until = 1"
            ) ?? 0
        }
    }

    private static func signIn(
        _ apple: BenchApple,
        _ server: URL,
        person: Int
    ) async throws -> String {
        try await NativeSignInRequest(
            server: server,
            identityToken: try apple.token(person: person)
        ).send()
    }

    private static func signInSeconds(
        _ apple: BenchApple,
        _ server: URL,
        person: Int
    ) async throws -> Double {
        let request = NativeSignInRequest(
            server: server,
            identityToken: try apple.token(person: person)
        )
        let duration = try await ContinuousClock().measure { _ = try await request.send() }
        return duration / .seconds(1)
    }

    private static func milliseconds(_ seconds: Double) -> String {
        String(format: "%.1f ms", seconds * 1000)
    }
}
