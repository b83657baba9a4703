import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// The emulator's errors during a user migration, and the causes that the library finds for them.
@Suite struct MigrationRefusalTests {
    private static let windowSeconds: TimeInterval = 60 * 86_400

    private func causes<Value>(
        _ code: SignInError.Code,
        _ ask: () async throws -> Value
    ) async throws -> [RefusalCause.Code] {
        let refusal = await expectRefusal(code, ask)
        let error = try #require(refusal)
        #expect(error.hint.contains("likeliest cause"), "\(error.hint)")
        #expect(!error.isRetryable)
        return error.causes.map(\.code)
    }

    @Test func identifierOfAnotherTeam() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let giver = try apple.migration(of: TwoTeams.giver)
            let first = try await causes(.appleRefusedRequest) {
                try await giver.transferIdentifier(for: "000001.x.0001", to: TwoTeams.recipient)
            }
            #expect(first == [.userOfAnotherTeam, .userStoppedUsingApp, .transferWindowOver])
        }
    }

    @Test func personWhoStoppedBetweenOthers() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let giver = try apple.migration(of: TwoTeams.giver)
            let maya = try await apple.credentials().user
            let noah = try await apple.credentials(for: "noah@example.com").user
            _ = try await giver.transferIdentifier(for: maya, to: TwoTeams.recipient)
            try await apple.emulator.stopUsing("noah@example.com", clientID: "com.example.juice")
            let causes = try await causes(.appleRefusedRequest) {
                try await giver.transferIdentifier(for: noah, to: TwoTeams.recipient)
            }
            // Another user was migrated: app, team and time are right.
            #expect(causes.first == .userStoppedUsingApp)
        }
    }

    @Test func recipientThatHasNotAcceptedTheApp() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let between = try await apple.migration(of: TwoTeams.giver)
                .transferIdentifier(for: apple.credentials().user, to: TwoTeams.recipient)
            let causes = try await causes(.appleRefusedClient) {
                try await apple.migration(of: TwoTeams.recipient).user(
                    forTransferIdentifier: between
                )
            }
            #expect(causes.prefix(2) == [.transferNotAccepted, .transferWindowOver])
            #expect(causes.contains(.teamMismatch))
        }
    }

    @Test func identifierMadeForTheWrongTeam() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let giver = try apple.migration(of: TwoTeams.giver)
            let maya = try await apple.credentials().user
            let noah = try await apple.credentials(for: "noah@example.com").user
            let wrong = try await giver.transferIdentifier(for: maya, to: "WRONGTEAM1")
            let right = try await giver.transferIdentifier(for: noah, to: TwoTeams.recipient)
            try await apple.transfer()
            let receiver = try apple.migration(of: TwoTeams.recipient)
            let first = try await causes(.appleRefusedRequest) {
                try await receiver.user(forTransferIdentifier: wrong)
            }
            #expect(
                first == [
                    .transferNotAccepted, .transferTargetMismatch, .transferWindowOver,
                    .userStoppedUsingApp,
                ]
            )
            _ = try await receiver.user(forTransferIdentifier: right)
            let second = try await causes(.appleRefusedRequest) {
                try await receiver.user(forTransferIdentifier: wrong)
            }
            #expect(second == [.userStoppedUsingApp, .transferTargetMismatch, .transferWindowOver])
        }
    }

    @Test func keyOfTheFormerTeam() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            _ = try await apple.credentials()
            try await apple.transfer()
            let credential = try await apple.credentials()
            let signIn = try apple.signIn(clientIDs: [TwoTeams.app], teamID: TwoTeams.giver)
            let identity = try await signIn.verify(
                credential.identityToken,
                expecting: IdentityTokenExpectation(nonce: .absent)
            )
            #expect(identity.transferUser != nil)
            let causes = try await causes(.appleRefusedClient) {
                try await signIn.exchange(code: credential.authorizationCode, for: identity)
            }
            #expect(causes.first == .appTransferred)
        }
    }

    @Test func sixtyDaysAreOver() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let maya = try await apple.credentials().user
            let giver = try apple.migration(of: TwoTeams.giver)
            let between = try await giver.transferIdentifier(for: maya, to: TwoTeams.recipient)
            try await apple.transfer()
            apple.time.advance(bySeconds: Self.windowSeconds)
            let received = try await causes(.appleRefusedRequest) {
                try await apple.migration(of: TwoTeams.recipient).user(
                    forTransferIdentifier: between
                )
            }
            #expect(received.contains(.transferWindowOver))
            let given = try await causes(.appleRefusedClient) {
                try await giver.transferIdentifier(for: maya, to: TwoTeams.recipient)
            }
            #expect(given == [.transferWindowOver, .keyMismatch])
        }
    }

    @Test func accessTokenThatIsRefusedTwice() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let maya = try await apple.credentials().user
            _ = try await apple.emulator.addFault([
                "endpoint": "usermigrationinfo", "status": 400, "count": 2,
                "body": #"{"error":"invalid_grant"}"#,
            ])
            let causes = try await causes(.appleRefusedGrant) {
                try await apple.migration(of: TwoTeams.giver)
                    .transferIdentifier(for: maya, to: TwoTeams.recipient)
            }
            #expect(causes == [.migrationTokenEnded])
        }
    }

    @Test func secretThatIsNotAcceptedForTheQuestionItself() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            _ = try await apple.emulator.addFault([
                "endpoint": "usermigrationinfo", "status": 400, "count": 2,
                "body": #"{"error":"invalid_client"}"#,
            ])
            let giver = try apple.migration(of: TwoTeams.giver)
            let given = try await causes(.appleRefusedClient) {
                try await giver.transferIdentifier(for: "000001.x.0001", to: TwoTeams.recipient)
            }
            #expect(given == [.transferWindowOver, .keyMismatch])
            let received = try await causes(.appleRefusedClient) {
                try await giver.user(forTransferIdentifier: "000001.x.0001")
            }
            #expect(received == [.transferNotAccepted, .keyMismatch])
        }
    }

    @Test func wrongScopeWordHasNoCause() async throws {
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            _ = try await apple.emulator.addFault([
                "endpoint": "token", "status": 400, "count": 1,
                "body": #"{"error":"invalid_scope"}"#,
            ])
            let error = await expectRefusal(.appleRefusedRequest) {
                try await apple.migration(of: TwoTeams.giver)
                    .transferIdentifier(for: "000001.x.0001", to: TwoTeams.recipient)
            }
            #expect(error?.causes.isEmpty == true)
        }
    }
}
