import Foundation
import GRDB

/// Native first sign-ins over HTTP on SQLite, against one durable insert each.
enum SignInContest {
    /// How many sign-ins make one round.
    private static let signInCount = 500

    static func make(apple: BenchApple) async throws -> Contest {
        let folder = try BenchFolder.make()
        let server = try await BenchServer.accounts(apple: apple, folder: folder)
        let people = PersonNumbers()
        return Contest(
            title: "Native first sign-ins on SQLite (durable: synchronous=FULL)",
            contenders: [
                try durableInserts(folder: folder),
                Contest.Contender(name: "accounts server, POST /api/sessions/apple") {
                    // Signing is Apple's work, so it is done before the clock starts.
                    let requests = try await people.next(signInCount).map {
                        NativeSignInRequest(
                            server: server,
                            identityToken: try apple.token(person: $0)
                        )
                    }
                    return try await rate(count: signInCount) {
                        try await Load.concurrently(requests) { _ = try await $0.send() }
                    }
                },
            ]
        )
    }

    private static func durableInserts(folder: URL) throws -> Contest.Contender {
        let pool = try DatabasePool(path: folder.appending(path: "floor.sqlite").path)
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
        }
        return Contest.Contender(name: "SQLite, one durable insert each") {
            try await rate(count: signInCount) {
                for _ in 0..<signInCount {
                    try await pool.write { database in
                        try database.execute(sql: "INSERT INTO person (name) VALUES ('Maya Ng')")
                    }
                }
            }
        }
    }
}

/// Hands out people who have not signed in yet.
private actor PersonNumbers {
    private var last = 0

    func next(_ count: Int) -> Range<Int> {
        last += count
        return last - count..<last
    }
}
