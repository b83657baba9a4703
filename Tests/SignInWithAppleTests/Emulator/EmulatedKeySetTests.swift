import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// Key sets as Apple hardly ever publishes them, fetched by the library.
@Suite struct EmulatedKeySetTests {
    private let expectation = IdentityTokenExpectation(nonce: .absent)

    @Test func emptyKeySetIsApplesTroubleAndEndsWithIt() async throws {
        try await withAppleEmulator { apple in
            _ = try await apple.emulator.changeSwitches(["empty_key_set": true])
            let signIn = try apple.signIn()
            let token = try await apple.credentials().identityToken
            let error = await expectRefusal(.appleKeysUnavailable) {
                try await signIn.verify(token, expecting: expectation)
            }
            #expect(error?.isRetryable == true)
            _ = try await apple.emulator.changeSwitches(["empty_key_set": false])
            apple.time.advance(bySeconds: 1)
            _ = try await signIn.verify(token, expecting: expectation)
        }
    }

    @Test func keysThatAreKnownOutliveAnEmptyKeySet() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let token = try await apple.credentials().identityToken
            _ = try await signIn.verify(token, expecting: expectation)
            _ = try await apple.emulator.changeSwitches(["empty_key_set": true])
            apple.time.advance(bySeconds: 7_200)
            _ = try await signIn.verify(token, expecting: expectation)
            _ = try await signIn.verify(token, expecting: expectation)
        }
    }

    @Test func keyOfAnUnknownKindHidesNoOther() async throws {
        try await withAppleEmulator { apple in
            _ = try await apple.emulator.changeSwitches(["foreign_key": true])
            let signIn = try apple.signIn()
            let token = try await apple.credentials().identityToken
            _ = try await signIn.verify(token, expecting: expectation)
        }
    }

    @Test func identifierOfATransferIsRead() async throws {
        var seed = Seed.demo()
        seed.teams.append(SeedTeam(teamID: "OTHERTEAM1"))
        try await withAppleEmulator(seed: seed) { apple in
            let signIn = try apple.signIn()
            _ = try await apple.credentials()
            _ = try await apple.emulator.transfer([
                "client_id": "com.example.juice", "to_team": "OTHERTEAM1",
            ])
            let token = try await apple.credentials().identityToken
            let identity = try await signIn.verify(token, expecting: expectation)
            let transferUser = try #require(identity.transferUser)
            #expect(transferUser.rawValue.prefix(8) == identity.user.rawValue.prefix(7) + "r")
        }
    }
}
