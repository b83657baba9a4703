import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Synchronization
import Testing

/// An app goes from one team to another in the emulated Apple, and its people with it.
@Suite struct UserMigrationTests {
    private static let app: ClientID = "com.example.juice"
    private static let giver: TeamID = "JUICETEAM1"
    private static let recipient: TeamID = "OTHERTEAM1"

    private struct StoreIsFull: Error {}

    private func withTwoTeams(
        personCount: Int = 0,
        _ body: (TestApple) async throws -> Void
    ) async throws {
        var seed = Seed.demo()
        seed.teams.append(SeedTeam(teamID: Self.recipient))
        seed.people += (0..<personCount).map { SeedPerson(email: "person\($0)@example.com") }
        try await withAppleEmulator(seed: seed) { try await body($0) }
    }

    private func migration(_ apple: TestApple, of team: TeamID) throws -> UserMigration {
        try apple.signIn(clientIDs: [Self.app], teamID: team).migration(of: Self.app)
    }

    private func transfer(_ apple: TestApple) async throws {
        _ = try await apple.emulator.transfer([
            "client_id": .string(Self.app.rawValue),
            "to_team": .string(Self.recipient.rawValue),
        ])
    }

    private func signUp(_ count: Int, at apple: TestApple) async throws -> [UserID] {
        var users: [UserID] = []
        for index in 0..<count {
            users.append(try await apple.credentials(for: "person\(index)@example.com").user)
        }
        return users
    }

    private func tokenRequestCount(_ apple: TestApple) async -> Int {
        await apple.emulator.requests().count { $0["path"] == "/auth/token" }
    }

    @Test func personKeepsTheAccountAtTheNewTeam() async throws {
        try await withTwoTeams { apple in
            let maya = try await apple.credentials(hidesEmail: true)
            let noah = try await apple.credentials(for: "noah@example.com")
            let giver = try migration(apple, of: Self.giver)
            let mayaBetween = try await giver.transferIdentifier(for: maya.user, to: Self.recipient)
            #expect(mayaBetween != maya.user)
            try await transfer(apple)
            // The team that gave the app away can still ask.
            let noahBetween = try await giver.transferIdentifier(for: noah.user, to: Self.recipient)
            let receiver = try migration(apple, of: Self.recipient)
            let newMaya = try await receiver.user(forTransferIdentifier: mayaBetween)
            #expect(newMaya.user != maya.user)
            #expect(newMaya.isPrivateEmail && newMaya.email != maya.email)
            let newNoah = try await receiver.user(forTransferIdentifier: noahBetween)
            #expect(newNoah.email == nil && !newNoah.isPrivateEmail)
            let again = try await apple.credentials()
            #expect(again.user == newMaya.user)
            let identity = try await apple.signIn(teamID: Self.recipient)
                .verify(again.identityToken, expecting: .init(nonce: .absent))
            #expect(identity.transferUser == mayaBetween)
            #expect(identity.email == newMaya.email)
        }
    }

    @Test func refusalsAreTold() async throws {
        try await withTwoTeams { apple in
            let maya = try await apple.credentials()
            let giver = try migration(apple, of: Self.giver)
            await expectRefusal(.appleRefusedRequest) {
                try await giver.transferIdentifier(for: "000000.none.0000", to: Self.recipient)
            }
            await expectRefusal(.appleRefusedRequest) {
                try await giver.transferIdentifier(for: "", to: Self.recipient)
            }
            let wrong = try await giver.transferIdentifier(for: maya.user, to: "WRONGTEAM1")
            let right = try await giver.transferIdentifier(for: maya.user, to: Self.recipient)
            await expectRefusal(.appleRefusedClient) {
                try await migration(apple, of: Self.recipient).user(forTransferIdentifier: right)
            }
            try await transfer(apple)
            let receiver = try migration(apple, of: Self.recipient)
            await expectRefusal(.appleRefusedRequest) {
                try await receiver.user(forTransferIdentifier: wrong)
            }
            apple.time.advance(bySeconds: 60 * 86_400 - 1)
            _ = try await receiver.user(forTransferIdentifier: right)
            apple.time.advance(bySeconds: 1)
            await expectRefusal(.appleRefusedRequest) {
                try await receiver.user(forTransferIdentifier: right)
            }
            await expectRefusal(.appleRefusedClient) {
                try await giver.transferIdentifier(for: maya.user, to: Self.recipient)
            }
        }
    }

    @Test func clientWithoutKeyCanNotAsk() async throws {
        let migration = ScriptedApple().signIn().migration(of: Self.app)
        await expectRefusal(.configurationInvalid) {
            try await migration.transferIdentifier(for: "user", to: Self.recipient)
        }
    }

    @Test func manyPeopleGoThereAndArrive() async throws {
        try await withTwoTeams(personCount: 40) { apple in
            let users = try await signUp(40, at: apple)
            try await apple.emulator.stopUsing("person7@example.com", clientID: "com.example.juice")
            var between: [UserID: UserID] = [:]
            let progress = try await migration(apple, of: Self.giver)
                .transferIdentifiers(for: users + users, to: Self.recipient) { step in
                    switch step.outcome {
                    case .success(let identifier): between[step.user] = identifier
                    case .failure(let error):
                        #expect(step.user == users[7])
                        #expect(error.code == .appleRefusedRequest)
                    }
                    #expect(step.progress.totalCount == 40)
                }
            #expect(progress.succeededCount == 39 && progress.failedCount == 1)
            #expect(Set(between.values).count == 39)
            #expect(await tokenRequestCount(apple) == 1)
            try await transfer(apple)
            var arrived: [UserID: UserID] = [:]
            try await migration(apple, of: Self.recipient)
                .users(forTransferIdentifiers: between.values) { step in
                    arrived[step.user] = try step.outcome.get().user
                }
            let maya = try await apple.credentials(for: "person3@example.com")
            #expect(between[users[3]].flatMap { arrived[$0] } == maya.user)
        }
    }

    @Test func runThatEndedEarlyIsTakenUpAgain() async throws {
        try await withTwoTeams(personCount: 20) { apple in
            let users = try await signUp(20, at: apple)
            let migration = try migration(apple, of: Self.giver)
            var kept: [UserID: UserID] = [:]
            await #expect(throws: StoreIsFull.self) {
                try await migration.transferIdentifiers(
                    for: users,
                    to: Self.recipient,
                    parallelCount: 3
                ) { step in
                    guard kept.count < 7 else { throw StoreIsFull() }
                    kept[step.user] = try step.outcome.get()
                }
            }
            #expect(kept.count == 7)
            let progress = try await migration.transferIdentifiers(
                for: users,
                to: Self.recipient,
                leavingOut: Set(kept.keys)
            ) { kept[$0.user] = try $0.outcome.get() }
            #expect(progress.totalCount == 13 && progress.finishedCount == 13)
            #expect(Set(kept.keys) == Set(users))
        }
    }

    @Test func secretAndAccessTokenAreRenewedInMidRun() async throws {
        try await withTwoTeams(personCount: 12) { apple in
            let users = try await signUp(12, at: apple)
            let progress = try await migration(apple, of: Self.giver)
                .transferIdentifiers(for: users, to: Self.recipient, parallelCount: 1) { _ in
                    apple.time.advance(bySeconds: 900)
                }
            #expect(progress.succeededCount == 12)
            #expect(await tokenRequestCount(apple) > 2)
        }
    }

    @Test func noMoreRequestsAreUnderWayThanAllowed() async throws {
        try await withTwoTeams(personCount: 30) { apple in
            let users = try await signUp(30, at: apple)
            let load = Mutex((now: 0, most: 0))
            let counting = AppleTransport { request, body in
                load.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                defer { load.withLock { $0.now -= 1 } }
                await Task.yield()
                return try await apple.transport.send(request, body: body)
            }
            let signIn = AppleSignIn(
                configuration: try apple.signInConfiguration(),
                transport: counting,
                time: apple.time.source
            )
            try await signIn.migration(of: Self.app)
                .transferIdentifiers(for: users, to: Self.recipient, parallelCount: 4) { _ in }
            #expect((1...4).contains(load.withLock(\.most)))
        }
    }

    @Test func endedAccessTokenIsReplacedOnce() async throws {
        try await withTwoTeams { apple in
            let maya = try await apple.credentials()
            let migration = try migration(apple, of: Self.giver)
            let first = try await migration.transferIdentifier(for: maya.user, to: Self.recipient)
            _ = try await apple.emulator.addFault([
                "endpoint": "usermigrationinfo", "status": 400,
                "body": #"{"error":"invalid_grant"}"#, "count": 1,
            ])
            let second = try await migration.transferIdentifier(for: maya.user, to: Self.recipient)
            #expect(first == second)
            #expect(await tokenRequestCount(apple) == 2)
        }
    }

    @Test(arguments: ["{}", "[]", #"{"transfer_sub":""}"#, #"{"transfer_sub":1}"#, "<html>"])
    func unreadableAnswerIsToldAsSuch(body: String) async throws {
        try await withTwoTeams { apple in
            let migration = try migration(apple, of: Self.giver)
            _ = try await apple.emulator.addFault([
                "endpoint": "usermigrationinfo", "status": 200, "body": .string(body), "count": 1,
            ])
            await expectRefusal(.appleAnswerUnreadable) {
                try await migration.transferIdentifier(for: "user", to: Self.recipient)
            }
        }
    }
}
