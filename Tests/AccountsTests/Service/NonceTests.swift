import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

@Suite("Nonces of native sign-in", AccountsWorld.lending) struct NonceTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    @Test("from the server are valid once, for ten minutes")
    func serverNonce() async throws {
        let (nonce, expiresAt) = service.makeNonce()
        #expect(expiresAt == world.time.now.addingTimeInterval(600))
        _ = try await service.signIn(world.nativeRequest(nonce: nonce, from: .server))
        let again = try await world.nativeRequest(nonce: nonce, from: .server)
        await expect(.nonceUsed) { try await service.signIn(again) }

        let late = service.makeNonce().nonce
        let request = try await world.nativeRequest(nonce: late, from: .server)
        world.time.advance(bySeconds: 600)
        await expect(.nonceExpired) { try await service.signIn(request) }
    }

    @Test("must come from the server when that is required")
    func requiredNonce() async throws {
        let own = try await world.nativeRequest(nonce: "the app's own", from: .server)
        await expect(.nonceUnknown) { try await service.signIn(own) }
        let none = try await world.nativeRequest(from: .server)
        await expect(.nonceRequired) { try await service.signIn(none) }
        #expect(await world.statuses(of: ApplePath.token).isEmpty)
    }

    @Test("may be the app's own otherwise, and leave no trace") func ownNonce() async throws {
        for _ in 0..<2 { _ = try await service.signIn(world.nativeRequest(nonce: "the app's own")) }
    }

    @Test("from the server need no disk space")
    func nothingStored() async throws {
        let before = try await contents(of: world.sqlite)
        let nonces = (0..<100).map { _ in world.service().makeNonce().nonce }
        #expect(Set(nonces).count == 100)
        #expect(try await contents(of: world.sqlite) == before)
    }

    @Test("are verified by any of the server's keys, and by no other")
    func changedKeys() async throws {
        let key = TokenSealer.makeKey(identifier: "k1")
        let other = TokenSealer.makeKey(identifier: "k2")
        let nonce = try world.service(sealing: key).makeNonce().nonce
        let request = try await world.nativeRequest(nonce: nonce, from: .server)
        let stranger = try world.service(sealing: other)
        await expect(.nonceUnknown) { try await stranger.signIn(request) }
        let rotated = try world.service(sealing: "\(other),\(key)")
        _ = try await rotated.signIn(request)
    }

    @Test("with a changed bit are not the server's")
    func alteredNonce() async throws {
        let nonce = service.makeNonce().nonce
        let bytes = try #require(Base64URL.decode(nonce))
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1
            let request = try await world.nativeRequest(
                nonce: Base64URL.encode(altered),
                from: .server
            )
            await expect(.nonceUnknown) {
                try await service.beforeExchange(service.check(request))
            }
        }
    }

    @Test("stay valid after a sign-in that fails")
    func failedSignIn() async throws {
        let nonce = service.makeNonce().nonce
        let request = try await world.nativeRequest(nonce: nonce)
        _ = try await world.apple.emulator.addFault(["endpoint": "token", "status": 503])
        await #expect(throws: SignInError.self) { try await service.signIn(request) }
        #expect(try await service.signIn(request).account.name?.text == "Maya Lindgren")
    }
}

/// Expects an error of a code.
func expect(
    _ code: AccountsError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async {
    let error = await #expect(throws: AccountsError.self, sourceLocation: sourceLocation) {
        _ = try await body()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
