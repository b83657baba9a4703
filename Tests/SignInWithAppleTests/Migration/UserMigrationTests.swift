import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Synchronization
import Testing

/// An app and its users are transferred to another team in the emulator.
@Suite struct UserMigrationTests {
    private struct StoreIsFull: Error {}

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
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let maya = try await apple.credentials(hidesEmail: true)
            let noah = try await apple.credentials(for: "noah@example.com")
            let giver = try apple.migration(of: TwoTeams.giver)
            let mayaBetween = try await giver.transferIdentifier(
                for: maya.user,
                to: TwoTeams.recipient
            )
            #expect(mayaBetween != maya.user)
            try await apple.transfer()
            // The sending team can still request identifiers.
            let noahBetween = try await giver.transferIdentifier(
                for: noah.user,
                to: TwoTeams.recipient
            )
            let receiver = try apple.migration(of: TwoTeams.recipient)
            let newMaya = try await receiver.user(forTransferIdentifier: mayaBetween)
            #expect(newMaya.user != maya.user)
            #expect(newMaya.isPrivateEmail && newMaya.email != maya.email)
            let newNoah = try await receiver.user(forTransferIdentifier: noahBetween)
            #expect(newNoah.email == nil && !newNoah.isPrivateEmail)
            let again = try await apple.credentials()
            #expect(again.user == newMaya.user)
            let identity = try await apple.signIn(teamID: TwoTeams.recipient)
                .verify(again.identityToken)
            #expect(identity.transferUser == mayaBetween)
            #expect(identity.email == newMaya.email)
        }
    }

    @Test func refusalsAreTold() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let maya = try await apple.credentials()
            let giver = try apple.migration(of: TwoTeams.giver)
            await expectRefusal(.appleRefusedRequest) {
                try await giver.transferIdentifier(for: "000000.none.0000", to: TwoTeams.recipient)
            }
            await expectRefusal(.appleRefusedRequest) {
                try await giver.transferIdentifier(for: "", to: TwoTeams.recipient)
            }
            let wrong = try await giver.transferIdentifier(for: maya.user, to: "WRONGTEAM1")
            let right = try await giver.transferIdentifier(for: maya.user, to: TwoTeams.recipient)
            await expectRefusal(.appleRefusedClient) {
                try await apple.migration(of: TwoTeams.recipient).user(forTransferIdentifier: right)
            }
            try await apple.transfer()
            let receiver = try apple.migration(of: TwoTeams.recipient)
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
                try await giver.transferIdentifier(for: maya.user, to: TwoTeams.recipient)
            }
        }
    }

    @Test func clientWithoutKeyCanNotAsk() async throws {
        let migration = ScriptedApple().signIn().migration(of: TwoTeams.app)
        await expectRefusal(.configurationInvalid) {
            try await migration.transferIdentifier(for: "user", to: TwoTeams.recipient)
        }
    }

    @Test func manyPeopleGoThereAndArrive() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed(personCount: 40)) { apple in
            let users = try await signUp(40, at: apple)
            try await apple.emulator.stopUsing("person7@example.com", clientID: "com.example.juice")
            var between: [UserID: UserID] = [:]
            let progress = try await apple.migration(of: TwoTeams.giver)
                .transferIdentifiers(for: users + users, to: TwoTeams.recipient) { step in
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
            try await apple.transfer()
            var arrived: [UserID: UserID] = [:]
            try await apple.migration(of: TwoTeams.recipient)
                .users(forTransferIdentifiers: between.values) { step in
                    arrived[step.user] = try step.outcome.get().user
                }
            let maya = try await apple.credentials(for: "person3@example.com")
            #expect(between[users[3]].flatMap { arrived[$0] } == maya.user)
        }
    }

    @Test func runThatEndedEarlyIsTakenUpAgain() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed(personCount: 20)) { apple in
            let users = try await signUp(20, at: apple)
            let migration = try apple.migration(of: TwoTeams.giver)
            var kept: [UserID: UserID] = [:]
            await #expect(throws: StoreIsFull.self) {
                try await migration.transferIdentifiers(
                    for: users,
                    to: TwoTeams.recipient,
                    parallelCount: 3
                ) { step in
                    guard kept.count < 7 else { throw StoreIsFull() }
                    kept[step.user] = try step.outcome.get()
                }
            }
            #expect(kept.count == 7)
            let progress = try await migration.transferIdentifiers(
                for: users,
                to: TwoTeams.recipient,
                leavingOut: Set(kept.keys)
            ) { kept[$0.user] = try $0.outcome.get() }
            #expect(progress.totalCount == 13 && progress.finishedCount == 13)
            #expect(Set(kept.keys) == Set(users))
        }
    }

    @Test func secretAndAccessTokenAreRenewedInMidRun() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed(personCount: 12)) { apple in
            let users = try await signUp(12, at: apple)
            let progress = try await apple.migration(of: TwoTeams.giver)
                .transferIdentifiers(for: users, to: TwoTeams.recipient, parallelCount: 1) { _ in
                    apple.time.advance(bySeconds: 900)
                }
            #expect(progress.succeededCount == 12)
            #expect(await tokenRequestCount(apple) > 2)
        }
    }

    @Test func noMoreRequestsAreUnderWayThanAllowed() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed(personCount: 30)) { apple in
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
            try await signIn.migration(of: TwoTeams.app)
                .transferIdentifiers(for: users, to: TwoTeams.recipient, parallelCount: 4) { _ in }
            #expect((1...4).contains(load.withLock(\.most)))
        }
    }

    @Test func endedAccessTokenIsReplacedOnce() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let maya = try await apple.credentials()
            let migration = try apple.migration(of: TwoTeams.giver)
            let first = try await migration.transferIdentifier(
                for: maya.user,
                to: TwoTeams.recipient
            )
            _ = try await apple.emulator.addFault([
                "endpoint": "usermigrationinfo", "status": 400,
                "body": #"{"error":"invalid_grant"}"#, "count": 1,
            ])
            let second = try await migration.transferIdentifier(
                for: maya.user,
                to: TwoTeams.recipient
            )
            #expect(first == second)
            #expect(await tokenRequestCount(apple) == 2)
        }
    }

    @Test(arguments: ["{}", "[]", #"{"transfer_sub":""}"#, #"{"transfer_sub":1}"#, "<html>"])
    func unreadableAnswerIsToldAsSuch(body: String) async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let migration = try apple.migration(of: TwoTeams.giver)
            _ = try await apple.emulator.addFault([
                "endpoint": "usermigrationinfo", "status": 200, "body": .string(body), "count": 1,
            ])
            await expectRefusal(.appleAnswerUnreadable) {
                try await migration.transferIdentifier(for: "user", to: TwoTeams.recipient)
            }
        }
    }
}
