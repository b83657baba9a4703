import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import SignedTokens
import TestSupport
import Testing

@Suite("Nonces of the server", Ledger.lending) struct NativeNoncesTests {
    private let (ledger, world): (Ledger, HelloWorld)
    /// The hashes of used nonces, which all replicas share.
    private let used = LockedValue<[String: Date]>([:])
    private let isStoreDown = LockedValue(false)

    init() throws {
        let (ledger, world, _) = try Ledger.lending.value
        (self.ledger, self.world) = (ledger, world)
    }

    private func withServer(
        sealingKeys: String = HelloWorld.sealingKeys,
        _ test: @escaping @Sendable (HelloWorld) async throws -> Void
    ) async throws {
        let nonces = NativeNonces(sealer: try TokenSealer(keys: sealingKeys)) { hash, expiresAt in
            if isStoreDown.withLock(\.self) { throw Ledger.Failure() }
            return used.withLock { $0.updateValue(expiresAt, forKey: hash) == nil }
        }
        let native = NativeEndpoint(appIDs: ["com.example.juice"], nonces: nonces)
        let router = try Router().signInWithApple(world.apple.signIn(), native: native) {
            signIn,
            _ in .session(try await ledger.add(signIn))
        }
        try await Application(router: router).test(.router) { client in
            try await test(HelloWorld(apple: world.apple, client: client))
        }
    }

    private func nonce(of world: HelloWorld) async throws -> String {
        let answer = try await world.client.execute(uri: "/auth/apple/nonces", method: .post)
        #expect(answer.status == .created)
        #expect(answer.headers[.cacheControl] == "no-store")
        let end = world.apple.time.now.addingTimeInterval(600)
        #expect(answer.json?["expiresAt"]?.stringValue == end.formatted(.iso8601))
        return try #require(answer.json?["nonce"]?.stringValue)
    }

    private func body(_ nonce: String, _ name: PersonName? = nil) async throws -> JSONObject {
        let credential = try await world.apple.credentials(nonce: nonce)
        return HelloWorld.request(credential, name: name, nonce: nonce)
    }

    @Test("are created, accepted once, and required") func once() async throws {
        try await withServer { world in
            var body = try await body("the app's own")
            #expect(try await world.signIn(body).json?["code"] == "nonce_unknown")
            body["nonce"] = nil
            #expect(try await world.signIn(body).json?["code"] == "nonce_required")

            let nonce = try await nonce(of: world)
            let first = try await world.signIn(try await self.body(nonce))
            #expect(first.status == .created)
            let again = try await world.signIn(try await self.body(nonce))
            #expect(again.json?["code"] == "nonce_unknown")
        }
    }

    @Test("take no space before a verified token uses them, and then that of a hash")
    func stored() async throws {
        try await withServer { world in
            var nonces: Set<String> = []
            for _ in 0..<20 { nonces.insert(try await nonce(of: world)) }
            #expect(nonces.count == 20)
            let nonce = try #require(nonces.first)
            var forged = try await body(nonce)
            forged["identityToken"] = forged["identityToken"]?.stringValue
                .map { .string($0.dropLast(4) + "AAAA") }
            #expect(try await world.signIn(forged).status == .unauthorized)
            #expect(used.withLock(\.isEmpty))

            let accepted = try await world.signIn(try await body(nonce))
            #expect(accepted.status == .created)
            let end = world.apple.time.now.addingTimeInterval(600)
            #expect(used.withLock(\.self) == [SHA256.hexadecimal(of: nonce): end])
        }
    }

    @Test("expire after ten minutes, and stay unused") func expired() async throws {
        try await withServer { world in
            let nonce = try await nonce(of: world)
            world.apple.time.advance(bySeconds: 600)
            let refused = try await world.signIn(try await body(nonce))
            #expect(refused.json?["code"] == "nonce_unknown")
            #expect(used.withLock(\.isEmpty))
        }
    }

    @Test("are valid on a replica with the key, also behind a new one, and on no other server")
    func keys() async throws {
        let (other, key) = (TokenSealer.makeKey(identifier: "k2"), HelloWorld.sealingKeys)
        let nonces = LockedValue<[String]>([])
        try await withServer { world in
            for _ in 0..<2 {
                let nonce = try await nonce(of: world)
                nonces.withLock { $0.append(nonce) }
            }
        }
        let made = nonces.withLock(\.self)
        try await withServer(sealingKeys: "\(other),\(key)") { world in
            let accepted = try await world.signIn(try await body(made[0]))
            #expect(accepted.status == .created)
        }
        try await withServer(sealingKeys: other) { world in
            let refused = try await world.signIn(try await body(made[1]))
            #expect(refused.json?["code"] == "nonce_unknown")
        }
    }

    @Test("do not prevent the same request from being finished after a failure")
    func afterFailure() async throws {
        try await withServer { world in
            let maya = PersonName(givenName: "Maya")
            var body = try await body(try await nonce(of: world), maya)
            isStoreDown.withLock { $0 = true }
            #expect(try await world.signIn(body).status == .serviceUnavailable)
            isStoreDown.withLock { $0 = false }
            await ledger.fail(with: Ledger.Failure())
            let failed = try await world.signIn(body)
            #expect(failed.json?["code"] == "sign_in_unfinished")
            #expect(used.withLock(\.count) == 1)
            await ledger.fail(with: nil)
            #expect(try await world.signIn(body).json?["code"] == "nonce_unknown")
            body["resumeToken"] = failed.json?["resumeToken"]
            #expect(try await world.signIn(body).status == .created)
        }
    }
}

extension NativeNonces {
    /// The nonces of a server that keeps the used ones in memory.
    static func inMemory() throws -> NativeNonces {
        let used = LockedValue<Set<String>>([])
        return NativeNonces(sealer: try TokenSealer(keys: HelloWorld.sealingKeys)) { hash, _ in
            used.withLock { $0.insert(hash).inserted }
        }
    }
}
