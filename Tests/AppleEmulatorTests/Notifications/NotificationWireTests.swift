import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import SignedTokens
import Testing

@Suite("A notification on the wire") struct NotificationWireTests {
    private let box: Box

    init() async throws { box = try await Box() }

    @Test("It reads as one that Apple really sent") func form() async throws {
        let user = try #require(await box.credentials()["user"]?.stringValue)
        box.time.advance(bySeconds: 3_600)
        try await box.apple.stopUsing(Box.maya, clientID: Box.app)
        let request = try #require(await box.apple.takeDueDeliveries(maximumCount: 9).first)
        #expect(request.url == "https://juice.example.com/apple/notifications")
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.hasPrefix("{\"payload\":\"ey") && body.hasSuffix("\"}"))
        let token = TokenText(String(body.dropFirst(12).dropLast(2)))
        #expect(token.header.wholeMatch(of: /{"kid":"[A-Za-z0-9]{10}","alg":"RS256"}/) != nil)
        let claims = token.claims
        #expect(
            token.payload.hasPrefix(
                "{\"iss\":\"https://appleid.apple.com\",\"aud\":\"com.example.juice\",\"exp\":"
            )
        )
        #expect(token.names.hasPrefix("iss aud exp iat jti events"))
        #expect(claims["iat"] == .integer(box.now))
        #expect(claims["exp"] == .integer(box.now + 86_400))
        #expect(claims["jti"]?.stringValue?.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil)
        #expect(
            claims["events"]?.stringValue == "{\"type\":\"consent-revoked\",\"sub\":\"\(user)\","
                + "\"event_time\":\((box.now - 10) * 1_000)}"
        )
    }

    @Test("A published key signs it, also after a rotation") func signature() async throws {
        for _ in 1...2 {
            try await box.notify()
            let payload = try #require(await box.duePayloads().first)
            let document = await box.send(.get, "/auth/keys").answer.body
            let token = try UnverifiedToken(payload)
            let keys = try JSONWebKeySet(json: document).verificationKeys()
            let key = try #require(keys[token.header.keyID ?? ""])
            _ = try token.verified(with: key)
            _ = try await box.apple.rotateSigningKeys([:])
        }
    }

    @Test(
        "An e-mail event has the relay address and a truth value in a text",
        arguments: ["privaterelay.appleid.com", "icloud.com"]
    )
    func email(domain: String) async throws {
        let box = try await Box { $0.switches = ["relay_domain": .string(domain)] }
        let address = try await box.relayAddress()
        #expect(address.hasSuffix("@" + domain))
        box.time.advance(bySeconds: 60)
        try await box.apple.setForwarding(Box.maya, clientID: Box.app, enabled: false)
        let events = try #require(await events(box).first)
        #expect(events.hasPrefix("{\"type\":\"email-disabled\",\"sub\":"))
        #expect(events.hasSuffix(",\"email\":\"\(address)\",\"is_private_email\":\"true\"}"))
    }

    @Test(
        "An address is told to be private where its domain is for relays alone, or it was given out",
        arguments: [
            ("a@privaterelay.appleid.com", "true"), ("a@PRIVATE.iCloud.com", "true"),
            ("maya@icloud.com", "false"), ("a@notprivate.icloud.com", "false"),
            ("a@private.icloud.com.evil.example", "false"),
        ]
    )
    func privateDomain(address: String, isPrivate: String) async throws {
        try await box.notify(["type": "email-disabled", "email": .string(address)])
        let events = try #require(await events(box).first)
        #expect(events.hasSuffix("\"is_private_email\":\"\(isPrivate)\"}"), "\(events)")
    }

    @Test("Nothing happens to a consent before it was given") func eventTime() async throws {
        _ = try await box.credentials()
        box.time.advance(bySeconds: 3)
        try await box.apple.stopUsing(Box.maya, clientID: Box.app)
        let events = try #require(await events(box).first)
        #expect(events.contains("\"event_time\":\((box.now - 3) * 1_000)"))
    }

    private func events(_ box: Box) async -> [String] {
        await box.notifications().compactMap { $0["claims"]?.objectValue?["events"]?.stringValue }
    }
}
