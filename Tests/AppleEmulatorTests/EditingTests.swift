import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("Changes and removals of registrations and people") final class EditingTests: BoxSuite {
    @Test("A new return URL is accepted, the former one refused") func returnURLs() async throws {
        let url = "https://new.example.com/callback"
        let service = try await box.apple.changeService(Box.web, ["return_urls": [.string(url)]])
        #expect(service["return_urls"] == [.string(url)])
        #expect(await box.authorize(["redirect_uri": url]).sheet != nil)
        #expect(await box.authorize().failure != nil)
    }

    @Test("A removed key signs no client secret any more") func removedKey() async throws {
        let code = try await box.code()
        try await box.apple.removeKey(Box.keyID)
        #expect(try await box.exchange(code)["error"] == "invalid_client")
        #expect(await box.lastReason().contains("not a registered key"))
        await box.expectRefusal(.notFound) { try await $0.removeKey(Box.keyID) }
        try await expectExportable()
    }

    @Test("A team is removed after its apps, with its keys, mail sources and identities")
    func removedTeam() async throws {
        _ = try await box.tokens()
        await box.expectRefusal(.conflict) { try await $0.removeTeam(Box.team) }
        try await box.apple.removeService(Box.web)
        for client in try await otherClients() { try await box.apple.removeApp(client) }
        try await box.apple.removeApp(Box.app)
        try await box.apple.removeTeam(Box.team)
        let state = await box.apple.state()
        for section in ["teams", "keys", "mail_sources"] {
            #expect(state.objects(section).isEmpty, "\(section)")
        }
        #expect(try await box.apple.consolePerson(Box.maya)["teams"] == [])
        await box.expectRefusal(.notFound) { try await $0.removeTeam(Box.team) }
        try await expectExportable()
    }

    @Test("A removed mail source is one that the relay refuses") func removedSource() async throws {
        await box.expectRefusal(.notFound) {
            try await $0.removeMailSource("juice.example.com", teamID: "OTHERTEAM1")
        }
        try await box.apple.removeMailSource("JUICE.example.com", teamID: nil)
        #expect(await box.apple.state().objects("mail_sources").isEmpty)
        await box.expectRefusal(.notFound) {
            try await $0.removeMailSource("juice.example.com", teamID: nil)
        }
    }

    @Test("Null restores a default, and other values stay") func null() async throws {
        _ = try await box.apple.changeApp(Box.app, ["name": "Juicy"])
        let url: JSONValue = "https://juice.example.com/notifications"
        let app = try await box.apple.changeApp(Box.app, ["notification_url": url])
        #expect(app["name"] == "Juicy")
        let bare = try await box.apple.changeApp(Box.app, ["name": .null])
        #expect(bare["name"] == nil && bare["notification_url"] == url)
    }

    @Test("Unknown objects and fields, and invalid values are refused") func wrong() async throws {
        await box.expectRefusal(.notFound) { try await $0.changeApp("none", ["name": "x"]) }
        await box.expectRefusal(.notFound) {
            try await $0.changeService(Box.app, ["name": "x"])
        }
        await box.expectRefusal(.notFound) { try await $0.removeService("none") }
        await box.expectRefusal(.unknownField) {
            try await $0.changeApp(Box.app, ["team_id": "OTHERTEAM1"])
        }
        await box.expectRefusal(.wrongField) {
            try await $0.changeService(Box.web, ["return_urls": ["ftp://x"]])
        }
        await box.expectRefusal(.wrongField) {
            try await $0.changeApp(Box.app, ["notification_url": "x"])
        }
    }

    @Test("Without its Services ID an app's tokens are refused; its consents stay")
    func removedService() async throws {
        let tokens = try await box.tokens()
        try await box.apple.removeService(Box.web)
        #expect(try await box.refresh(tokens["refresh_token"]).status == 400)
        #expect(await box.authorize().failure != nil)
        let person = try await box.apple.consolePerson(Box.maya)
        let consent = person["consents"]?.arrayValue?.first?.objectValue
        #expect(consent?["first_client_id"] == .string(Box.app))
        try await expectExportable()
    }

    @Test("An app is removed after its clients, with its consents and tokens")
    func removedApp() async throws {
        _ = try await box.tokens()
        await box.expectRefusal(.conflict) { try await $0.removeApp(Box.app) }
        try await box.apple.removeService(Box.web)
        for client in try await otherClients() { try await box.apple.removeApp(client) }
        try await box.apple.removeApp(Box.app)
        #expect(try await box.apple.consolePerson(Box.maya)["consents"] == [])
        try await expectExportable()
    }

    private func otherClients() async throws -> [String] {
        let apps = await box.apple.state()["apps"]?.arrayValue ?? []
        return apps.compactMap(\.objectValue)
            .filter { $0["primary_client_id"] == .string(Box.app) }
            .compactMap { $0["client_id"]?.stringValue }
    }

    @Test("A person signs in with the new email address, and apps keep the former one")
    func person() async throws {
        let before = TokenText(try await box.signInOnTheWeb()["id_token"]).claims["email"]
        _ = try await box.apple.decideNext(["person": .string(Box.maya)])
        let account = try await box.apple.changePerson(
            Box.maya,
            ["email": "mia@example.com", "given_name": "Mia", "family_name": .null]
        )
        #expect(account["given_name"] == "Mia" && account["family_name"] == nil)
        try await expectExportable()
        let form = try await box.signInOnTheWeb(decision: ["person": "mia@example.com"])
        #expect(TokenText(form["id_token"]).claims["email"] == before)
        await box.expectRefusal(.notFound) { try await $0.changePerson(Box.maya, [:]) }
    }

    @Test("Another person's email address is refused") func taken() async throws {
        await box.expectRefusal(.conflict) {
            try await $0.changePerson(Box.maya, ["email": "noah@example.com"])
        }
        await box.expectRefusal(.conflict) {
            try await $0.changePerson(Box.maya, ["other_emails": ["Noah@example.com"]])
        }
        await box.expectRefusal(.wrongField) {
            try await $0.changePerson(Box.maya, ["email": .null])
        }
        #expect(try await box.apple.consolePerson(Box.maya)["other_emails"] == [])
    }

    /// Expects that no part of the state refers to what was removed.
    private func expectExportable() async throws {
        let state = await box.apple.exported()
        _ = try await Box(importing: state, as: box)
    }
}
