import Foundation
import GRDB

/// Native first sign-ins over HTTP on SQLite, against one durable insert each.
enum SignInContest {
    /// How many sign-ins are ready for one round, more than a second is enough for.
    private static let readyCount = 12_000
    /// How many inserts make one round.
    private static let insertCount = 2_000

    /// How many sign-ins are ready for the peer, whose keys are fetched for each.
    private static let peerReadyCount = 1_000

    /// The same sign-ins against the field's best-known server, if its libraries are there.
    static func makeAgainstPeer(apple: BenchApple) async throws -> [Contest] {
        let folder = try BenchFolder.make()
        let keys = try await BenchServer.keys(of: apple)
        guard let peer = try await AllauthPeer.start(keysURL: keys, folder: folder) else {
            return []
        }
        let server = try await BenchServer.accounts(apple: apple, folder: folder)
        let (people, others) = (PersonNumbers(), PersonNumbers())
        return [
            Contest(
                title: "Native first sign-ins, \(Load.connectionCount) connections, both durable",
                contenders: [
                    Contest.Contender(name: "django-allauth, gunicorn, two workers") {
                        let tokens = try await tokens(apple, others, count: peerReadyCount)
                        return try await Load.post(
                            tokens.map { AllauthPeer.body(identityToken: $0) },
                            type: type,
                            to: peer.url
                        )
                        .rate
                    },
                    Contest.Contender(name: name(Load.connectionCount)) {
                        try await signIns(apple, server, people, Load.connectionCount).rate
                    },
                ]
            )
        ]
    }

    static func make(apple: BenchApple) async throws -> [Contest] {
        let folder = try BenchFolder.make()
        let server = try await BenchServer.accounts(apple: apple, folder: folder)
        let people = PersonNumbers()
        let title =
            "Native first sign-ins on SQLite (durable: synchronous=FULL; load by \(Load.name))"
        return [
            Contest(
                title: title,
                contenders: [try durableInserts(folder: folder)]
                    + [Load.connectionCount, 1].map { connections in
                        Contest.Contender(name: name(connections)) {
                            try await signIns(apple, server, people, connections).rate
                        }
                    }
            ),
            Contest(
                title: "The same by the server's processor time",
                contenders: [
                    Contest.Contender(name: name(Load.connectionCount)) {
                        let bodies = try await bodies(apple, people)
                        return try await processorRate {
                            try await Load.post(bodies, type: type, to: url(server)).count
                        }
                    }
                ]
            ),
        ]
    }

    private static let type = "application/json"

    private static func name(_ connections: Int) -> String {
        "accounts server, \(connections) connection\(connections == 1 ? "" : "s")"
    }

    private static func url(_ server: URL) -> URL {
        server.appending(path: "api/sessions/apple")
    }

    private static func signIns(
        _ apple: BenchApple,
        _ server: URL,
        _ people: PersonNumbers,
        _ connections: Int
    ) async throws -> (count: Int, rate: Double) {
        try await Load.post(
            try await bodies(apple, people),
            type: type,
            to: url(server),
            connections: connections
        )
    }

    /// Signing is Apple's work, so it is done before the clock starts.
    private static func bodies(_ apple: BenchApple, _ people: PersonNumbers) async throws -> [Data]
    {
        try await tokens(apple, people, count: readyCount)
            .map { NativeSignInRequest.body(identityToken: $0) }
    }

    private static func tokens(
        _ apple: BenchApple,
        _ people: PersonNumbers,
        count: Int
    ) async throws -> [String] {
        let range = await people.next(count)
        return try await withThrowingTaskGroup { group in
            for person in range { group.addTask { try apple.token(person: person) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
    }

    /// The floor: one row, one commit, one flush, and what is in force is read back.
    private static func durableInserts(folder: URL) throws -> Contest.Contender {
        let queue = try DatabaseQueue(path: folder.appending(path: "floor.sqlite").path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                throw BenchError("the floor is not durable")
            }
            try database.execute(sql: "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
        }
        return Contest.Contender(name: "SQLite, one durable insert each") {
            try await rate(count: insertCount) {
                for _ in 0..<insertCount {
                    try await queue.write { database in
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
