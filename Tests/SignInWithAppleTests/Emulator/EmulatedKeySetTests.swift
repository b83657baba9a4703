import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// Key sets as Apple hardly ever publishes them, fetched by the library.
@Suite struct EmulatedKeySetTests {

    @Test func emptyKeySetIsApplesTroubleAndEndsWithIt() async throws {
        try await withAppleEmulator { apple in
            _ = try await apple.emulator.changeSwitches(["empty_key_set": true])
            let signIn = try apple.signIn()
            let token = try await apple.credentials().identityToken
            let error = await expectRefusal(.appleKeysUnavailable) {
                try await signIn.verify(token)
            }
            #expect(error?.isRetryable == true)
            _ = try await apple.emulator.changeSwitches(["empty_key_set": false])
            apple.time.advance(bySeconds: 1)
            try await signIn.verify(token)
        }
    }

    @Test func keysThatAreKnownOutliveAnEmptyKeySet() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let token = try await apple.credentials().identityToken
            try await signIn.verify(token)
            _ = try await apple.emulator.changeSwitches(["empty_key_set": true])
            apple.time.advance(bySeconds: 7_200)
            try await signIn.verify(token)
            try await signIn.verify(token)
        }
    }

    @Test func keyOfAnUnknownKindHidesNoOther() async throws {
        try await withAppleEmulator { apple in
            _ = try await apple.emulator.changeSwitches(["foreign_key": true])
            let signIn = try apple.signIn()
            let token = try await apple.credentials().identityToken
            try await signIn.verify(token)
        }
    }
}
