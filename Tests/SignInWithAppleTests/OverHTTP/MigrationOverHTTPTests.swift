import AppleEmulator
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// A user migration over real sockets, in runs that another process resumes.
@Suite struct MigrationOverHTTPTests {
    private struct ProcessDied: Error {}

    private func migration(_ apple: ServedApple, of team: TeamID) throws -> UserMigration {
        try apple.signIn(clientIDs: [TwoTeams.app], teamID: team).migration(of: TwoTeams.app)
    }

    private func user(in credential: JSONObject) throws -> UserID {
        UserID(try #require(credential["user"]?.stringValue))
    }

    @Test func personGoesThereAndArrives() async throws {
        try await withServedApple(seed: TwoTeams.seed()) { apple in
            let maya = try await apple.credentials(hidesEmail: true)
            let between = try await migration(apple, of: TwoTeams.giver)
                .transferIdentifier(for: user(in: maya), to: TwoTeams.recipient)
            try await apple.control("transfers", TwoTeams.transfer)
            let arrived = try await migration(apple, of: TwoTeams.recipient)
                .user(forTransferIdentifier: between)
            #expect(try arrived.user != user(in: maya))
            #expect(arrived.isPrivateEmail && arrived.email != maya["email"]?.stringValue)
            let kept = try JSONEncoder().encode(arrived)
            #expect(try JSONDecoder().decode(MigratedUser.self, from: kept) == arrived)
        }
    }

    /// Each run belongs to another process, which knows only what the earlier ones have stored.
    ///
    /// In the last one so much time passes that access token and client secret expire.
    @Test func runsSurviveACrashByWhatTheyStored() async throws {
        try await withServedApple(seed: TwoTeams.seed(personCount: 12)) { apple in
            var users: [UserID] = []
            for index in 0..<12 {
                let person = try await apple.credentials(for: "person\(index)@example.com")
                users.append(try user(in: person))
            }
            var between: [UserID: UserID] = [:]
            await #expect(throws: ProcessDied.self) {
                try await migration(apple, of: TwoTeams.giver)
                    .transferIdentifiers(for: users, to: TwoTeams.recipient) { step in
                        guard between.count < 5 else { throw ProcessDied() }
                        between[step.user] = try step.outcome.get()
                    }
            }
            let rest = try await migration(apple, of: TwoTeams.giver).transferIdentifiers(
                for: users,
                to: TwoTeams.recipient,
                leavingOut: Set(between.keys)
            ) { between[$0.user] = try $0.outcome.get() }
            #expect(rest.totalCount == 7 && rest.failedCount == 0)
            try await apple.control("transfers", TwoTeams.transfer)
            var arrived: Set<UserID> = []
            await #expect(throws: ProcessDied.self) {
                try await migration(apple, of: TwoTeams.recipient)
                    .users(forTransferIdentifiers: between.values) { step in
                        guard arrived.count < 5 else { throw ProcessDied() }
                        _ = try step.outcome.get()
                        arrived.insert(step.user)
                    }
            }
            try await migration(apple, of: TwoTeams.recipient).users(
                forTransferIdentifiers: between.values,
                leavingOut: arrived,
                parallelCount: 1
            ) { step in
                _ = try step.outcome.get()
                arrived.insert(step.user)
                apple.time.advance(bySeconds: 1800)
            }
            #expect(arrived == Set(between.values))
        }
    }
}
