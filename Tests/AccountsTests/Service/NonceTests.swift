import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import Testing

@Suite("Nonces of native sign-in")
struct NonceTests {
    @Test("from the server are good once, raw or hashed, for ten minutes")
    func serverNonce() async throws {
        try await AccountsWorld.with { world in
            var world = world
            world.configuration.requiresServerNonce = true
            let service = try world.service()
            let (nonce, expiresAt) = try await service.makeNonce()
            #expect(expiresAt == world.time.now.addingTimeInterval(600))
            var hashed = try await world.nativeRequest(nonce: sha256(nonce))
            hashed.nonce = nonce
            _ = try await service.signInNative(hashed)
            let again = try await world.nativeRequest(nonce: nonce)
            await expect(.nonceUsed, 401) { try await service.signInNative(again) }

            let late = try await service.makeNonce().nonce
            let request = try await world.nativeRequest(nonce: late)
            world.time.advance(bySeconds: 600)
            await expect(.nonceExpired, 401) { try await service.signInNative(request) }
        }
    }

    @Test("must come from the server when that is required")
    func requiredNonce() async throws {
        try await AccountsWorld.with { world in
            var world = world
            world.configuration.requiresServerNonce = true
            let service = try world.service()
            let own = try await world.nativeRequest(nonce: "the app's own")
            await expect(.nonceUnknown, 401) { try await service.signInNative(own) }
            let none = try await world.nativeRequest()
            await expect(.nonceRequired, 422) { try await service.signInNative(none) }
            let exchanges = await world.statuses(of: ApplePath.token)
            #expect(exchanges.isEmpty)
        }
    }

    @Test("may be the app's own otherwise, and must match both ways")
    func ownNonce() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let own = try await world.nativeRequest(nonce: "the app's own")
            _ = try await service.signInNative(own)

            var forgotten = try await world.nativeRequest(nonce: "in the token only")
            forgotten.nonce = nil
            await expect("token_nonce_mismatch", 401) { [forgotten] in
                try await service.signInNative(forgotten)
            }
            var missing = try await world.nativeRequest()
            missing.nonce = "in the request only"
            await expect("token_nonce_missing", 401) { [missing] in
                try await service.signInNative(missing)
            }
            var other = try await world.nativeRequest(nonce: "one")
            other.nonce = "another"
            await expect("token_nonce_mismatch", 401) { [other] in
                try await service.signInNative(other)
            }
        }
    }

    @Test("are not used up by a sign-in that fails")
    func failedSignIn() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let nonce = try await service.makeNonce().nonce
            let request = try await world.nativeRequest(nonce: nonce)
            _ = try await world.apple.emulator.addFault(["endpoint": "token", "status": 503])
            await expect("apple_unavailable", 503) { try await service.signInNative(request) }
            let receipt = try await service.signInNative(request)
            #expect(receipt.account.name == "Maya Lindgren")
        }
    }

    private func sha256(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }
        .joined()
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
