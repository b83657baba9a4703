import AppleEmulator
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// Moving people between teams over real sockets, one by one and in runs that survive a crash.
@Suite struct MigrationOverHTTPTests {
    private static let app: ClientID = "com.example.juice"
    private static let giver: TeamID = "JUICETEAM1"
    private static let recipient: TeamID = "OTHERTEAM1"

    private struct ProcessDied: Error {}

    private func withTwoTeams(
        personCount: Int = 0,
        _ body: (ServedApple) async throws -> Void
    ) async throws {
        var seed = Seed.demo()
        seed.teams.append(SeedTeam(teamID: Self.recipient))
        seed.people += (0..<personCount).map { SeedPerson(email: "person\($0)@example.com") }
        try await withServedApple(seed: seed, body)
    }

    private func migration(_ apple: ServedApple, of team: TeamID) throws -> UserMigration {
        try apple.signIn(clientIDs: [Self.app], teamID: team).migration(of: Self.app)
    }

    private func transfer(_ apple: ServedApple) async throws {
        try await apple.control(
            "transfers",
            ["client_id": "com.example.juice", "to_team": "OTHERTEAM1"]
        )
    }

    private func user(in credential: JSONObject) throws -> UserID {
        UserID(try #require(credential["user"]?.stringValue))
    }

    @Test func personGoesThereAndArrives() async throws {
        try await withTwoTeams { apple in
            let maya = try await apple.credentials(hidesEmail: true)
            let between = try await migration(apple, of: Self.giver)
                .transferIdentifier(for: user(in: maya), to: Self.recipient)
            try await transfer(apple)
            let arrived = try await migration(apple, of: Self.recipient)
                .user(forTransferIdentifier: between)
            #expect(try arrived.user != user(in: maya))
            #expect(arrived.isPrivateEmail && arrived.email != maya["email"]?.stringValue)
        }
    }

    /// What a run found lies in files; each run is another process's, with nothing in memory.
    @Test func runsSurviveACrashByWhatTheyStored() async throws {
        try await withTwoTeams(personCount: 12) { apple in
            var users: [UserID] = []
            for index in 0..<12 {
                let person = try await apple.credentials(for: "person\(index)@example.com")
                users.append(try user(in: person))
            }
            let between = StoredOutcomes<UserID>()
            await #expect(throws: ProcessDied.self) {
                try await migration(apple, of: Self.giver)
                    .transferIdentifiers(for: users, to: Self.recipient) { step in
                        guard try between.read().count < 5 else { throw ProcessDied() }
                        try between.append(step.outcome.get(), for: step.user)
                    }
            }
            let rest = try await migration(apple, of: Self.giver).transferIdentifiers(
                for: users,
                to: Self.recipient,
                leavingOut: Set(between.read().keys)
            ) { try between.append($0.outcome.get(), for: $0.user) }
            #expect(rest.totalCount == 7 && rest.failedCount == 0)
            try await transfer(apple)
            let arrived = StoredOutcomes<MigratedUser>()
            try await arrive(between.read().values.map(\.self), arrived, apple)
            #expect(try Set(arrived.read().keys) == Set(between.read().values))
        }
    }

    /// The first run dies, time passes that ends access token and client secret, a second finishes.
    private func arrive(
        _ identifiers: [UserID],
        _ arrived: StoredOutcomes<MigratedUser>,
        _ apple: ServedApple
    ) async throws {
        await #expect(throws: ProcessDied.self) {
            try await migration(apple, of: Self.recipient)
                .users(forTransferIdentifiers: identifiers) { step in
                    guard try arrived.read().count < 5 else { throw ProcessDied() }
                    try arrived.append(step.outcome.get(), for: step.user)
                }
        }
        try await migration(apple, of: Self.recipient).users(
            forTransferIdentifiers: identifiers,
            leavingOut: Set(arrived.read().keys),
            parallelCount: 1
        ) { step in
            try arrived.append(step.outcome.get(), for: step.user)
            apple.time.advance(bySeconds: 1800)
        }
    }
}

/// What a run keeps of each person, one line of JSON appended for each, in a file of its own.
private final class StoredOutcomes<Outcome: Codable & Sendable>: Sendable {
    private struct Line: Codable {
        let user: UserID
        let outcome: Outcome
    }

    private let file = FileManager.default.temporaryDirectory
        .appending(path: "migration-\(UInt64.random(in: 0 ... .max)).jsonl")

    deinit { try? FileManager.default.removeItem(at: file) }

    func append(_ outcome: Outcome, for user: UserID) throws {
        var kept = (try? Data(contentsOf: file)) ?? Data()
        kept += try JSONEncoder().encode(Line(user: user, outcome: outcome)) + Data("\n".utf8)
        try kept.write(to: file, options: .atomic)
    }

    func read() throws -> [UserID: Outcome] {
        let lines = ((try? Data(contentsOf: file)) ?? Data()).split(separator: UInt8(ascii: "\n"))
        return try lines.reduce(into: [:]) { kept, line in
            let read = try JSONDecoder().decode(Line.self, from: line)
            kept[read.user] = read.outcome
        }
    }
}
