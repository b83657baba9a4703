import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Synchronization
import Testing

@Suite("Apple's keys, out of reach after the code is spent")
struct LostKeysTests {
    /// A service whose keys are rotated, and then withheld once, as soon as it has fetched them.
    private func service(in world: AccountsWorld) throws -> AccountsService {
        let isFirst = Mutex(true)
        return try world.service { path, _ in
            let isRotating = isFirst.withLock { isFirst in
                defer { if path == ApplePath.keys { isFirst = false } }
                return isFirst && path == ApplePath.keys
            }
            guard isRotating else { return }
            _ = try await world.apple.emulator.rotateSigningKeys([:])
            _ = try await world.apple.emulator.addFault([
                "endpoint": "keys", "status": 503, "count": 1,
            ])
        }
    }

    @Test("let the same request succeed later, with the name and all tokens")
    func native() async throws {
        try await AccountsWorld.with { world in
            let service = try service(in: world)
            let request = try await world.nativeRequest()
            let error = await #expect(throws: AccountsError.self) {
                try await service.signInNative(request)
            }
            #expect(error?.code.rawValue == SignInError.Code.appleKeysUnavailable.rawValue)
            #expect(error?.status == 503)
            #expect(error?.isRetryable == true)
            #expect(error?.retryAfter == 1)

            // Too early a retry must not cost what is kept.
            await #expect(throws: AccountsError.self) { try await service.signInNative(request) }
            world.time.advance(bySeconds: 60)
            let receipt = try await service.signInNative(request)
            #expect(receipt.isNewAccount)
            #expect(receipt.account.name == "Maya Lindgren")
            let exchanges = await world.statuses(of: ApplePath.token)
            #expect(exchanges == [200])
            try await service.deleteAccount(receipt.session)
            let backlog = try await service.revocationBacklog()
            #expect(backlog.waitingCount == 1, "the refresh token was lost")
        }
    }

    @Test("let the same form of the browser succeed later")
    func web() async throws {
        try await AccountsWorld.with { world in
            let service = try service(in: world)
            let request = try await world.webRequest(nonce: "n")
            await expect(.init("apple_keys_unavailable"), 503) {
                try await service.signInWeb(request)
            }
            world.time.advance(bySeconds: 60)
            let receipt = try await service.signInWeb(request)
            #expect(receipt.account.name == "Maya Lindgren")
            let exchanges = await world.statuses(of: ApplePath.token)
            #expect(exchanges == [200])
        }
    }
}
