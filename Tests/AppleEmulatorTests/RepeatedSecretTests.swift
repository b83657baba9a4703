import AppleEmulator
import AppleIdentity
import Crypto
import Testing

@Suite("A client secret that comes again") struct RepeatedSecretTests {
    /// What needs a client secret and nothing else.
    private func authenticate(
        _ box: Box,
        _ secret: String,
        clientID: String = Box.web
    ) async -> Reply {
        await box.post(
            "/auth/token",
            [
                "grant_type": "client_credentials", "scope": "user.migration",
                "client_id": clientID, "client_secret": secret,
            ]
        )
    }

    private func expectRefusal(
        _ box: Box,
        _ secret: String,
        clientID: String = Box.web,
        reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let reply = await authenticate(box, secret, clientID: clientID)
        #expect(reply.text == #"{"error":"invalid_client"}"#, sourceLocation: sourceLocation)
        let logged = await box.lastReason()
        #expect(logged.contains(reason), "\(logged)", sourceLocation: sourceLocation)
    }

    /// A box, and a secret that it accepted twice.
    private func acceptedTwice(_ claims: JSONObject = [:]) async throws -> (Box, String) {
        let box = try await Box()
        let secret = try box.secret(claims: claims)
        for _ in 1...2 { #expect(await authenticate(box, secret).status == 200) }
        return (box, secret)
    }

    @Test("It is refused from the second on at which it expires") func expired() async throws {
        let (box, secret) = try await acceptedTwice()
        box.time.advance(bySeconds: 599)
        #expect(await authenticate(box, secret).status == 200)
        box.time.advance(bySeconds: 1)
        await expectRefusal(box, secret, reason: "has expired")
    }

    @Test("It is judged by the clock as it was moved, forward and back")
    func movedClock() async throws {
        let (box, secret) = try await acceptedTwice()
        try await box.advance(bySeconds: 601)
        await expectRefusal(box, secret, reason: "has expired")
        try await box.advance(bySeconds: -601)
        #expect(await authenticate(box, secret).status == 200)
        try await box.advance(bySeconds: -301)
        await expectRefusal(box, secret, reason: "iat is in the future")
        try await box.advance(bySeconds: -15_777_000)
        await expectRefusal(box, secret, reason: "seconds ahead")
    }

    @Test("It is judged by the switches of the moment") func switches() async throws {
        let now = try await Box().now
        let (box, secret) = try await acceptedTwice(["iat": .integer(now + 200)])
        _ = try await box.apple.changeSwitches(["secret_skew_seconds": 100])
        await expectRefusal(box, secret, reason: "iat is in the future")
    }

    @Test("It serves no other client") func otherClient() async throws {
        let (box, secret) = try await acceptedTwice()
        await expectRefusal(box, secret, clientID: Box.app, reason: "sub is")
        await expectRefusal(box, secret, clientID: "com.example.none", reason: "not registered")
    }

    @Test("It is refused when the app has gone to another team") func changedTeam() async throws {
        let now = try await Box().now
        let (box, secret) = try await acceptedTwice(["exp": .integer(now + 6_000_000)])
        _ = try await box.apple.add(.team, ["team_id": "OTHERTEAM1"])
        try await box.transfer()
        // The team that gave the app away may still act for it in the 60 days after.
        try await box.advance(bySeconds: 60 * 86_400 + 1)
        await expectRefusal(box, secret, reason: "the client to team OTHERTEAM1")
    }

    @Test("It is refused after a reset that took its key away, also when another has the name")
    func revokedKey() async throws {
        let box = try await Box()
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
        for _ in 1...2 { #expect(await authenticate(box, secret).status == 200) }
        try await box.apple.reset()
        await expectRefusal(box, secret, reason: "names no registered key")
        try await register(second)
        await expectRefusal(box, secret, reason: "signature was not made")
    }

    @Test("Another signature is verified on its own, whatever went before")
    func otherSignature() async throws {
        let (box, secret) = try await acceptedTwice()
        let forged = try box.secret(key: P256.Signing.PrivateKey())
        for _ in 1...2 { await expectRefusal(box, forged, reason: "signature was not made") }
        let unsigned = secret.split(separator: ".").dropLast().joined(separator: ".") + "."
        await expectRefusal(box, unsigned, reason: "secret")
        #expect(await authenticate(box, secret).status == 200)
    }

    @Test("More secrets than are remembered are accepted, the first one again too")
    func many() async throws {
        let (box, first) = try await acceptedTwice()
        for index in 1...300 {
            let secret = try box.secret(claims: ["exp": .integer(box.now + index)])
            #expect(await authenticate(box, secret).status == 200)
        }
        #expect(await authenticate(box, first).status == 200)
    }
}
