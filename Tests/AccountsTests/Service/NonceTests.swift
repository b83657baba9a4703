import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@Suite("Nonces of native sign-in")
struct NonceTests {
    @Test("from the server are good once, for ten minutes")
    func serverNonce() async throws {
        try await AccountsWorld.with { world in
            let service = world.service()
            let (nonce, expiresAt) = try await service.makeNonce()
            #expect(expiresAt == world.time.now.addingTimeInterval(600))
            _ = try await service.signIn(world.nativeRequest(nonce: nonce, from: .server))
            let again = try await world.nativeRequest(nonce: nonce, from: .server)
            await expect(.nonceUsed, 401) { try await service.signIn(again) }

            let late = try await service.makeNonce().nonce
            let request = try await world.nativeRequest(nonce: late, from: .server)
            world.time.advance(bySeconds: 600)
            await expect(.nonceExpired, 401) { try await service.signIn(request) }
        }
    }

    @Test("must come from the server when that is required")
    func requiredNonce() async throws {
        try await AccountsWorld.with { world in
            let service = world.service()
            let own = try await world.nativeRequest(nonce: "the app's own", from: .server)
            await expect(.nonceUnknown, 401) { try await service.signIn(own) }
            let none = try await world.nativeRequest(from: .server)
            await expect(.nonceRequired, 422) { try await service.signIn(none) }
            let exchanges = await world.statuses(of: ApplePath.token)
            #expect(exchanges.isEmpty)
        }
    }

    @Test("may be the app's own otherwise, and leave no trace") func ownNonce() async throws {
        try await AccountsWorld.with { world in
            let service = world.service()
            for _ in 0..<2 {
                _ = try await service.signIn(world.nativeRequest(nonce: "the app's own"))
            }
        }
    }

    @Test("are not used up by a sign-in that fails")
    func failedSignIn() async throws {
        try await AccountsWorld.with { world in
            let service = world.service()
            let nonce = try await service.makeNonce().nonce
            let request = try await world.nativeRequest(nonce: nonce)
            _ = try await world.apple.emulator.addFault(["endpoint": "token", "status": 503])
            await #expect(throws: SignInError.self) { try await service.signIn(request) }
            let receipt = try await service.signIn(request)
            #expect(receipt.account.name == "Maya Lindgren")
        }
    }
}

/// Expects an error of a code and a status.
func expect(
    _ code: AccountsError.Code,
    _ status: Int,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async {
    let error = await #expect(throws: AccountsError.self, sourceLocation: sourceLocation) {
        _ = try await body()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.status == status, sourceLocation: sourceLocation)
}
