import AppleIdentity
import Foundation
import SignedTokens
import Testing

@testable import Accounts

@Suite("Access tokens", AccountsWorld.lending) struct AccessTokenTests {
    private let (world, service): (AccountsWorld, AccountsService)

    init() throws {
        var world = try AccountsWorld.lent.0.withPasswords()
        world.configuration.issuer = "https://juice.example.com"
        (self.world, service) = (world, world.service())
    }

    /// A service of the team that keeps the published keys for as long as it may.
    private final class Verifier {
        private var keys: [String: VerificationKey] = [:]
        private var fetchedAt = Date.distantPast

        func accepts(
            _ token: AccessToken,
            keysFrom replica: AccountsService,
            now: Date
        ) async throws -> Bool {
            if now.timeIntervalSince(fetchedAt) >= AccountsConfiguration.tokenKeySetMaximumAge {
                let published = try await replica.publishedTokenKeys()
                let set: JSONObject = ["keys": .array(published.map { .object($0) })]
                keys = try JSONWebKeySet(json: set.data).verificationKeys()
                fetchedAt = now
            }
            let token = try UnverifiedToken(token.text)
            guard let key = token.header.keyID.flatMap({ keys[$0] }) else { return false }
            return (try? token.verified(with: key)) != nil
        }
    }

    @Test("are accepted at every moment of a rotation, from each replica by the keys of each")
    func rotation() async throws {
        let replicas = [service, world.service()]
        let verifiers = (0..<6).map { _ in Verifier() }
        let session = try await service.create().session
        var tokens: [AccessToken] = []
        for step in 0..<60 {
            let now = world.time.now
            if step == 15 {
                _ = try await replicas[1].rotateTokenKeys(immediately: false, by: "eve")
            }
            tokens.removeAll { $0.expiresAt <= now }
            for replica in replicas {
                tokens.append(try await replica.makeAccessToken(for: session, audience: "orders"))
            }
            for token in tokens {
                // Each verifier begins at another time, so their keys are of every age.
                for (index, verifier) in verifiers.prefix(step + 1).enumerated() {
                    let keys = replicas[index % 2]
                    #expect(try await verifier.accepts(token, keysFrom: keys, now: now), "\(step)")
                }
                #expect(try await replicas[step % 2].introspect(token.text) != nil, "\(step)")
            }
            world.time.advance(bySeconds: 30)
            await world.maintenance().cleanUp()
        }
        let keys = try await service.storedTokenKeys()
        let last = try UnverifiedToken(try #require(tokens.last).text)
        #expect(keys.map(\.id) == [last.header.keyID] && keys[0].createdAt < keys[0].signsFrom)
    }

    @Test("of a removed key are inactive at once, and on another replica after a minute")
    func leak() async throws {
        let other = world.service()
        let session = try await service.create().session
        let token = try await service.makeAccessToken(for: session, audience: "orders").text
        #expect(try await other.introspect(token) != nil)
        _ = try await service.rotateTokenKeys(immediately: true, by: "eve")
        #expect(try await service.introspect(token) == nil)
        world.time.advance(bySeconds: 60)
        #expect(try await other.introspect(token) == nil)
        let new = try await other.makeAccessToken(for: session, audience: "orders").text
        #expect(try await service.introspect(new) != nil)
        let actions = try await service.auditEntries(AuditQuery()).map(\.action)
        #expect(actions.contains("token_keys_rotated"))
    }

    @Test("of a removed key stay inactive when a read that began before the rotation ends after it")
    func lateRead() async throws {
        let cache = TokenKeyCache()
        let now = world.time.now
        let old = TokenKey(sealedBy: world.sealer, now: now)
        let new = TokenKey(sealedBy: world.sealer, now: now)
        let late = cache.rotationCount
        cache.put([old], at: now, readAfter: late)
        #expect(cache.keys(at: now) == [old])
        cache.drop()
        #expect(cache.keys(at: now) == nil)
        cache.put([old], at: now, readAfter: late)
        #expect(cache.keys(at: now) == nil)
        cache.put([new], at: now, readAfter: cache.rotationCount)
        cache.put([old], at: now, readAfter: late)
        #expect(cache.keys(at: now) == [new])
    }

    @Test("have the claims of RFC 9068, and their key is sealed in the store")
    func claims() async throws {
        let receipt = try await service.create()
        let token = try await service.makeAccessToken(for: receipt.session, audience: "orders")
        var claims = try #require(try await service.introspect(token.text))
        #expect(claims["jti"]?.stringValue?.count == 32)
        claims["jti"] = nil
        let now = Int(world.time.now.timeIntervalSince1970)
        let expected: JSONObject = [
            "iss": "https://juice.example.com", "sub": .string(receipt.account.id.rawValue),
            "client_id": "https://juice.example.com",
            "sid": .string(receipt.session.id.rawValue), "iat": .integer(now),
            "exp": .integer(now + 300), "auth_time": .integer(now), "amr": ["pwd"],
            "aud": "orders",
        ]
        #expect(claims == expected)
        let key = try #require(try await service.storedTokenKeys().first)
        _ = try key.signingKey(world.sealer)
        var other = TokenKey(sealedBy: world.sealer, now: world.time.now)
        other.sealedKey = key.sealedKey
        #expect(throws: (any Error).self) { try other.signingKey(world.sealer) }
    }

    @Test("are inactive once they expire, their session ends, or their account is deleted")
    func ends() async throws {
        var (receipts, tokens): ([SignInReceipt], [String]) = ([], [])
        for name in ["maya", "noah", "lina"] {
            let receipt = try await service.create(name)
            let token = try await service.makeAccessToken(for: receipt.session, audience: "orders")
            receipts.append(receipt)
            tokens.append(token.text)
        }
        try await service.signOut(receipts[0].session)
        try await service.deleteAccount(receipts[1].session)
        #expect(try await service.introspect(tokens[0]) == nil)
        #expect(try await service.introspect(tokens[1]) == nil)
        #expect(try await service.introspect(receipts[0].token.text) == nil)
        world.time.advance(bySeconds: 299)
        #expect(try await service.introspect(tokens[2]) != nil)
        world.time.advance(bySeconds: 1)
        #expect(try await service.introspect(tokens[2]) == nil)
    }

    @Test("asking about a session does not make it last longer")
    func use() async throws {
        let receipt = try await service.create()
        world.time.advance(bySeconds: 86_400)
        let claims = try #require(try await service.introspect(receipt.token.text))
        let end = Int(receipt.session.expiresAt.timeIntervalSince1970)
        #expect(claims["exp"] == .integer(end) && claims["aud"] == nil)
        await world.maintenance().lookAfter()
        let session = try #require(try await service.sessions(of: receipt.session).first)
        #expect(session == receipt.session)
    }

    @Test("that differ in one thing are inactive", arguments: ["type", "issuer", "signer"])
    func foreign(difference: String) async throws {
        let session = try await service.create().session
        let own = try await service.makeAccessToken(for: session, audience: "orders").text
        let key = try #require(try await service.storedTokenKeys().first)
        var claims = try JSONObject(parsing: try UnverifiedToken(own).unverifiedPayload)
        if difference == "issuer" { claims["iss"] = "https://other.example.com" }
        let type: JSONValue = difference == "type" ? "JWT" : "at+jwt"
        let header: JSONObject = ["alg": "ES256", "typ": type, "kid": .string(key.id)]
        let stranger = TokenKey(sealedBy: world.sealer, now: world.time.now)
        let signer = try (difference == "signer" ? stranger : key).signingKey(world.sealer)
        let forged = try signer.sign(header: header.data, payload: claims.data)
        #expect(try await service.introspect(forged) == nil)
        #expect(try await service.introspect(own) != nil)
    }
}
