import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import SignedTokens
import Testing

// Fidelity: registration-7, secret-2, secret-3, secret-4, secret-5, secret-6, secret-7
// Fidelity: secret-8, secret-9, secret-10, secret-11, secret-12, secret-13, secret-14, secret-16
// Fidelity: secret-15, grant-1, grant-3
@Suite("The client secret") final class ClientSecretTests: BoxSuite {
    private func expectRefusal(
        _ secret: String,
        of other: Box? = nil,
        reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let box = other ?? box
        let code = try await box.code()
        let reply = try await box.exchange(code, ["client_secret": secret])
        #expect(reply.status == 400, sourceLocation: sourceLocation)
        #expect(reply.text == #"{"error":"invalid_client"}"#, sourceLocation: sourceLocation)
        let logged = await box.lastReason()
        #expect(logged.contains(reason), "\(logged)", sourceLocation: sourceLocation)
        #expect(try await box.exchange(code).status == 200, sourceLocation: sourceLocation)
    }

    @Test(
        "One claim wrong is refused, with its reason",
        arguments: [
            ("iss", "OTHERTEAM1", "iss is"), ("sub", "com.example.juice", "sub is"),
            ("sub", "com.example.Juice.web", "sub is"),
            ("aud", "https://appleid.apple.com/", "aud is"),
            ("aud", "https://account.apple.com", "aud is"),
        ]
    )
    func claim(name: String, value: String, reason: String) async throws {
        let secret = try box.secret(claims: [name: .string(value)])
        try await expectRefusal(secret, reason: reason)
    }

    @Test(
        "One thing missing is refused",
        arguments: [
            ("kid", "no kid"), ("iss", "iss is missing"), ("sub", "sub is missing"),
            ("aud", "aud is missing"), ("exp", "exp is missing"), ("iat", "iat is missing"),
        ]
    )
    func missing(name: String, reason: String) async throws {
        try await expectRefusal(try box.secret(without: name), reason: reason)
    }

    @Test("Times are judged by Apple's clock") func times() async throws {
        let now = box.now
        let tooFar = try box.secret(claims: ["exp": .integer(now + 15_777_001)])
        try await expectRefusal(tooFar, reason: "15777001 seconds ahead")
        let expired = try box.secret(claims: ["exp": .integer(now)])
        try await expectRefusal(expired, reason: "has expired")
        let future = try box.secret(claims: ["iat": .integer(now + 400)])
        try await expectRefusal(future, reason: "iat is in the future")
    }

    @Test("The longest life, a typ, and an audience that is a list of one are accepted")
    func accepted() async throws {
        for secret in [
            try box.secret(claims: ["exp": .integer(box.now + 15_777_000)]),
            try box.secret(header: ["typ": "JWT"]),
            try box.secret(claims: ["aud": ["https://appleid.apple.com"]]),
        ] {
            let code = try await box.code()
            #expect(try await box.exchange(code, ["client_secret": secret]).status == 200)
        }
    }

    @Test("Its times are in order, and none is in the future") func order() async throws {
        for (claims, reason) in [
            (["iat": .integer(box.now + 6)], "iat is in the future, by 6 s"),
            (["nbf": .integer(box.now + 86_400)], "nbf is in the future, by 86400 s"),
            (["nbf": "now"], "nbf is not a number"),
            (["iat": .integer(box.now + 5), "exp": .integer(box.now + 3)], "not before its exp"),
        ] as [(JSONObject, String)] {
            await expectUnauthenticated(try box.secret(claims: claims), reason: reason)
        }
        let claims: JSONObject = ["iat": .integer(box.now + 5), "nbf": .integer(box.now + 5)]
        #expect(await authenticate(try box.secret(claims: claims)).status == 200)
    }

    @Test("Header and signature are judged") func header() async throws {
        try await expectRefusal(
            try box.secret(header: ["kid": "OTHERKEY01"]),
            reason: "is not a registered key"
        )
        for algorithm in ["none", "HS256", "ES384"] {
            try await expectRefusal(
                try box.secret(header: ["alg": .string(algorithm)]),
                reason: "alg is \(algorithm)"
            )
        }
        try await expectRefusal(
            try box.secret(key: P256.Signing.PrivateKey()),
            reason: "signature was not made"
        )
        try await expectRefusal("not-a-token", reason: "not a JWT")
        try await expectRefusal(try derSigned(), reason: "signature was not made")
    }

    private func derSigned() throws -> String {
        let input = try box.secret().split(separator: ".").prefix(2).joined(separator: ".")
        let signature = try box.key.signature(for: Data(input.utf8)).derRepresentation
        return input + "." + Base64URL.encode(signature)
    }

    @Test("The key of another team is refused") func otherTeam() async throws {
        let other = P256.Signing.PrivateKey()
        let box = try await Box { $0.addOtherTeam(key: other) }
        let secret = try box.secret(
            header: ["kid": "OTHERKEY01"],
            claims: ["iss": "OTHERTEAM1"],
            key: other
        )
        try await expectRefusal(secret, of: box, reason: "the client to team JUICETEAM1")
    }

    @Test("A key made for one app serves its group, and no other app of the team")
    func otherApp() async throws {
        let own = P256.Signing.PrivateKey()
        let other = P256.Signing.PrivateKey()
        let box = try await Box { seed in
            seed.addApp("com.example.two")
            seed.addKey("OWNKEY0001", own, for: Box.app)
            seed.addKey("OTHERKEY01", other, for: "com.example.two")
        }
        let wrong = try box.secret(header: ["kid": "OTHERKEY01"], key: other)
        try await expectRefusal(
            wrong,
            of: box,
            reason: "the key is enabled for \"com.example.two\""
        )
        let code = try await box.code()
        let right = try box.secret(header: ["kid": "OWNKEY0001"], key: own)
        #expect(try await box.exchange(code, ["client_secret": right]).status == 200)
    }

    /// A request that needs only a client secret.
    private func authenticate(_ secret: String, clientID: String = Box.web) async -> Reply {
        await box.post(
            "/auth/token",
            [
                "grant_type": "client_credentials", "scope": "user.migration",
                "client_id": clientID, "client_secret": secret,
            ]
        )
    }

    private func expectUnauthenticated(
        _ secret: String,
        clientID: String = Box.web,
        reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let reply = await authenticate(secret, clientID: clientID)
        #expect(reply.text == #"{"error":"invalid_client"}"#, sourceLocation: sourceLocation)
        let logged = await box.lastReason()
        #expect(logged.contains(reason), "\(logged)", sourceLocation: sourceLocation)
    }

    /// A secret that was accepted twice.
    private func acceptedTwice(_ claims: JSONObject = [:]) async throws -> String {
        let secret = try box.secret(claims: claims)
        for _ in 1...2 { #expect(await authenticate(secret).status == 200) }
        return secret
    }

    @Test("It is refused from the second on at which it expires") func expired() async throws {
        let secret = try await acceptedTwice()
        box.time.advance(bySeconds: 599)
        #expect(await authenticate(secret).status == 200)
        box.time.advance(bySeconds: 1)
        await expectUnauthenticated(secret, reason: "has expired")
    }

    @Test("It is judged by the clock as it was moved, forward and back")
    func movedClock() async throws {
        let secret = try await acceptedTwice()
        try await box.advance(bySeconds: 601)
        await expectUnauthenticated(secret, reason: "has expired")
        try await box.advance(bySeconds: -601)
        #expect(await authenticate(secret).status == 200)
        try await box.advance(bySeconds: -6)
        await expectUnauthenticated(secret, reason: "iat is in the future, by 6 s")
        try await box.advance(bySeconds: -15_777_000)
        await expectUnauthenticated(secret, reason: "seconds ahead")
    }

    @Test("It is judged by the switches of the moment") func switches() async throws {
        let secret = try await acceptedTwice(["iat": .integer(box.now + 5)])
        _ = try await box.apple.changeSwitches(["secret_skew_seconds": 4])
        await expectUnauthenticated(secret, reason: "iat is in the future, by 5 s")
    }

    @Test("It serves no other client") func otherClient() async throws {
        let secret = try await acceptedTwice()
        await expectUnauthenticated(secret, clientID: Box.app, reason: "sub is")
        await expectUnauthenticated(secret, clientID: "com.example.none", reason: "not registered")
    }

    @Test("It is refused when the app has gone to another team") func changedTeam() async throws {
        let secret = try await acceptedTwice(["exp": .integer(box.now + 6_000_000)])
        _ = try await box.apple.add(.team, ["team_id": "OTHERTEAM1"])
        try await box.transfer()
        // The team that gave the app away may still act for it in the 60 days after.
        try await box.advance(bySeconds: 60 * 86_400 + 1)
        await expectUnauthenticated(secret, reason: "the client to team OTHERTEAM1")
    }

    @Test("It is refused after a reset that took its key away, also when another has the name")
    func revokedKey() async throws {
        let (first, second) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let secret = try box.secret(header: ["kid": "CHANGEKEY1"], key: first)
        func register(_ key: P256.Signing.PrivateKey) async throws {
            _ = try await box.apple.add(
                .key,
                [
                    "team_id": .string(Box.team), "key_id": "CHANGEKEY1",
                    "public_key_pem": .string(key.publicKey.pemRepresentation),
                ]
            )
        }
        try await register(first)
        for _ in 1...2 { #expect(await authenticate(secret).status == 200) }
        try await box.apple.reset()
        await expectUnauthenticated(secret, reason: "is not a registered key")
        try await register(second)
        await expectUnauthenticated(secret, reason: "signature was not made")
    }

    @Test("Another signature is verified on its own, whatever went before")
    func otherSignature() async throws {
        let secret = try await acceptedTwice()
        let forged = try box.secret(key: P256.Signing.PrivateKey())
        for _ in 1...2 { await expectUnauthenticated(forged, reason: "signature was not made") }
        let unsigned = secret.split(separator: ".").dropLast().joined(separator: ".") + "."
        await expectUnauthenticated(unsigned, reason: "secret")
        #expect(await authenticate(secret).status == 200)
    }

    @Test("More secrets than are stored are accepted, also the first one again")
    func many() async throws {
        let first = try await acceptedTwice()
        for index in 1...300 {
            let secret = try box.secret(claims: ["exp": .integer(box.now + index)])
            #expect(await authenticate(secret).status == 200)
        }
        #expect(await authenticate(first).status == 200)
    }
}
