import AppleEmulator
import AppleIdentity
import Foundation
import Testing

@Suite("What people do is told") struct NotifiedPeopleTests {
    private let box: Box

    init() async throws { box = try await Box() }

    @Test("Whoever stops using an app is told of once, for the whole group")
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
        try await box.apple.stopUsing(Box.maya, clientID: Box.web)
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
            try await box.apple.setForwarding(Box.maya, clientID: Box.app, enabled: isEnabled)
        }
        #expect(await box.texts("type") == ["email-disabled", "email-enabled"])
    }

    @Test(
        "A deleted account is told to every app in use, in the word that was set",
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

    @Test("One address serves apps of several teams, each told under its own names")
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
        try await box.apple.stopUsing(Box.maya, clientID: Box.app)
        try await box.apple.deletePerson(Box.maya)
        #expect(await box.texts("type") == ["consent-revoked"])
    }

    @Test("What is refused is not told") func refused() async throws {
        await #expect(throws: ControlRefusal.self) {
            try await box.apple.stopUsing(Box.maya, clientID: Box.app)
        }
        await #expect(throws: ControlRefusal.self) { try await box.apple.deletePerson("x@y.z") }
        #expect(await box.notifications().isEmpty)
    }

    @Test("A revocation by the developer is told only where that was switched on")
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
        try await box.apple.stopUsing(Box.maya, clientID: Box.app)
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
        try await box.apple.stopUsing(Box.maya, clientID: Box.app)
        let subject = try #require(await box.texts("sub").first ?? nil)
        #expect(subject != before["user"]?.stringValue)
    }
}
