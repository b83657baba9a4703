import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import SignedTokens
import Testing

// Fidelity: notification-1, notification-2, notification-5, notification-6, notification-7
// Fidelity: notification-8, notification-9, notification-10, notification-12, notification-14
// Fidelity: notification-15, notification-21, notification-22, notification-23, notification-24
// Fidelity: notification-25
@Suite("Notifications about users, as they are sent") final class NotifiedPeopleTests: BoxSuite {
    @Test("Stopping to use an app sends one notification for the whole group")
    func consentRevoked() async throws {
        let box = try await Box { seed in
            seed.addApp(
                "com.example.juice.mini",
                group: "com.example.juice",
                notificationURL: "https://mini.example.com/notifications"
            )
        }
        _ = try await box.credentials(["client_id": "com.example.juice.mini"])
        _ = try await box.credentials()
        _ = try await box.signInOnTheWeb()
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.web))
        let made = try #require(await box.notifications().first)
        #expect(await box.notifications().count == 1)
        #expect(made["type"] == "consent-revoked")
        #expect(made["client_id"] == "com.example.juice")
        #expect(made["url"] == "https://juice.example.com/apple/notifications")
    }

    @Test("Forwarding switched off and on, but not where nothing changes")
    func forwarding() async throws {
        _ = try await box.credentials(["email": "hide"])
        for isEnabled in [true, false, false, true, true] {
            try await box.apple.setForwarding(
                Box.maya,
                clientID: ClientID(Box.app),
                enabled: isEnabled
            )
        }
        #expect(await box.texts("type") == ["email-disabled", "email-enabled"])
    }

    @Test(
        "A deleted account notifies every app in use, with the configured event type",
        arguments: [nil, "account-deleted", "account-delete"]
    )
    func accountDeleted(word: String?) async throws {
        let box = try await Box { seed in
            seed.addApp(
                "com.example.pulp",
                notificationURL: "https://pulp.example.com/notifications"
            )
        }
        _ = try await box.credentials()
        _ = try await box.credentials(["client_id": "com.example.pulp"])
        if let word { try await box.changeSettings(["account_deletion": .string(word)]) }
        try await box.apple.deletePerson(Box.maya)
        let expected = word ?? "account-deleted"
        #expect(await box.texts("type") == [expected, expected])
        #expect(await box.texts("client_id") == ["com.example.juice", "com.example.pulp"])
        #expect(await box.texts("state") == ["pending", "pending"])
    }

    @Test("One URL serves apps of several teams, each with its own identifiers")
    func sharedAddress() async throws {
        let box = try await Box { seed in
            seed.addOtherTeam()
            seed.addApp(
                "com.example.other",
                of: Box.otherTeam,
                notificationURL: seed.apps[0].notificationURL
            )
        }
        let juice = try await box.credentials()
        let other = try await box.credentials(["client_id": "com.example.other"])
        #expect(juice["user"] != other["user"])
        try await box.apple.deletePerson(Box.maya)
        #expect(Set(await box.texts("url")).count == 1)
        #expect(await box.texts("client_id") == ["com.example.juice", "com.example.other"])
    }

    @Test("An app that was left before hears nothing of the deletion")
    func formerApp() async throws {
        _ = try await box.credentials()
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        try await box.apple.deletePerson(Box.maya)
        #expect(await box.texts("type") == ["consent-revoked"])
    }

    @Test("A refused action sends no notification") func refused() async throws {
        await #expect(throws: ControlRefusal.self) {
            try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        }
        await #expect(throws: ControlRefusal.self) { try await box.apple.deletePerson("x@y.z") }
        #expect(await box.notifications().isEmpty)
    }

    @Test("A revocation by the developer sends a notification only if it is enabled")
    func revocation() async throws {
        for isTold in [false, true] {
            try await box.changeSettings(["on_revocation": .boolean(isTold)])
            let tokens = try await box.tokens()
            #expect(try await box.revoke(tokens["refresh_token"]).status == 200)
            #expect(await box.texts("type") == (isTold ? ["consent-revoked"] : []))
        }
    }

    @Test("Without an address nothing is sent, and the list says why")
    func noAddress() async throws {
        let box = try await Box { $0.apps[0].notificationURL = nil }
        _ = try await box.credentials()
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        let made = try #require(await box.notifications().first)
        #expect(made["state"] == "not_sent")
        #expect(made["reason"]?.stringValue?.contains("notification_url") == true)
        #expect(made["attempts"] == [])
        #expect(await box.answerDue(200) == 0)
    }

    @Test("After an app went to another team, its person has that team's identifier")
    func transferred() async throws {
        let box = try await Box { $0.addOtherTeam() }
        let before = try await box.credentials()
        try await box.transfer()
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        let subject = try #require(await box.texts("sub").first ?? nil)
        #expect(subject != before["user"]?.stringValue)
    }

    @Test("It reads as one that Apple really sent") func form() async throws {
        let user = try #require(await box.credentials()["user"]?.stringValue)
        box.time.advance(bySeconds: 3_600)
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
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
        "An email event has the relay address and a truth value in a text",
        arguments: ["privaterelay.appleid.com", "icloud.com"]
    )
    func email(domain: String) async throws {
        let box = try await Box { $0.switches = ["relay_domain": .string(domain)] }
        let address = try await box.relayAddress()
        #expect(address.hasSuffix("@" + domain))
        box.time.advance(bySeconds: 60)
        try await box.apple.setForwarding(Box.maya, clientID: ClientID(Box.app), enabled: false)
        let events = try #require(await events(box).first)
        #expect(events.hasPrefix("{\"type\":\"email-disabled\",\"sub\":"))
        #expect(events.hasSuffix(",\"email\":\"\(address)\",\"is_private_email\":\"true\"}"))
    }

    @Test(
        "An address is private if its domain has only relay addresses, or if it was issued",
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

    @Test("No two events of a person have the same time") func eventOrder() async throws {
        _ = try await box.credentials(["email": "hide"])
        for isEnabled in [false, true, false] {
            try await box.apple.setForwarding(
                Box.maya,
                clientID: ClientID(Box.app),
                enabled: isEnabled
            )
        }
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        let times = await box.notifications().compactMap { notification in
            notification["claims"]?.objectValue?["events"]?.stringValue?
                .firstMatch(of: /"event_time":(\d+)/).flatMap { Int($0.1) }
        }
        #expect(times.count == 4 && times == Array(Set(times)).sorted(), "\(times)")
    }

    @Test("A clock that is set back leaves no event in the future") func earlierEvent() async throws
    {
        _ = try await box.credentials(["email": "hide"])
        box.time.advance(bySeconds: 86_400)
        try await box.apple.setForwarding(Box.maya, clientID: ClientID(Box.app), enabled: false)
        box.time.advance(bySeconds: -80_000)
        try await box.apple.setForwarding(Box.maya, clientID: ClientID(Box.app), enabled: true)
        let events = try #require(await events(box).last)
        #expect(events.contains("\"event_time\":\((box.now - 10) * 1_000)"))
    }

    @Test("Nothing happens to a consent before it was given") func eventTime() async throws {
        _ = try await box.credentials()
        box.time.advance(bySeconds: 3)
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        let events = try #require(await events(box).first)
        #expect(events.contains("\"event_time\":\((box.now - 3) * 1_000)"))
    }

    private func events(_ box: Box) async -> [String] {
        await box.notifications().compactMap { $0["claims"]?.objectValue?["events"]?.stringValue }
    }
}
