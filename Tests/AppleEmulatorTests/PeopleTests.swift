import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

// Fidelity: registration-2, registration-13, sheet-12, sheet-13, sheet-15, device-1, device-2
// Fidelity: device-4, device-14, device-17, device-18, device-22, exchange-11, exchange-12
// Fidelity: exchange-13, user-6, user-7, user-8, user-15, user-16, user-17, mail-10
// Fidelity: revocation-19
@Suite("People") final class PeopleTests: BoxSuite {
    @Test("A device's credential has name and email once") func once() async throws {
        let first = try await box.credentials(["state": "s", "name": ["given_name": "Mia"]])
        #expect(
            first.names == [
                "user", "identity_token", "authorization_code", "email", "full_name",
                "real_user_status", "state",
            ]
        )
        #expect(first["full_name"] == ["given_name": "Mia"])
        #expect(first["email"] == "maya@example.com")
        let second = try await box.credentials()
        #expect(
            second.names == ["user", "identity_token", "authorization_code", "real_user_status"]
        )
        #expect(second["user"] == first["user"])
    }

    @Test("A team sees one person in all its apps, another team sees someone else")
    func teams() async throws {
        let box = try await Box { seed in
            seed.addApp("com.example.two")
            seed.addOtherTeam(app: "com.example.far")
        }
        let one = try await box.credentials(["email": "hide"])
        let two = try await box.credentials(["client_id": "com.example.two", "email": "hide"])
        let far = try await box.credentials(["client_id": "com.example.far", "email": "hide"])
        #expect(one["user"] == two["user"])
        #expect(one["email"] == two["email"])
        #expect(one["user"] != far["user"])
        #expect(one["email"] != far["email"])
        #expect(two["full_name"] != nil)
    }

    @Test("A person's identifiers begin alike, whichever team met the person first")
    func block() async throws {
        let key = EmulatorConfiguration(identifierKey: Data(repeating: 7, count: 32))
        var beginnings: [String] = []
        for clients in [[Box.app, "com.example.far"], ["com.example.far", Box.app]] {
            let box = try await Box(configuration: key) { $0.addOtherTeam(app: "com.example.far") }
            for client in clients {
                let credentials = try await box.credentials(["client_id": .string(client)])
                beginnings.append(String(credentials["user"]?.stringValue?.prefix(7) ?? ""))
            }
        }
        #expect(Set(beginnings).count == 1, "\(beginnings)")
        #expect(beginnings.first?.wholeMatch(of: /\d{6}\./) != nil)
    }

    @Test("Another account on the device is another user") func otherPerson() async throws {
        let maya = try await box.credentials()
        let noah = try await box.apple.credentials(
            for: "noah@example.com",
            ["client_id": .string(Box.app)]
        )
        #expect(noah["user"] != maya["user"])
        #expect(TokenText(noah["identity_token"]?.stringValue).claims["sub"] == noah["user"])
    }

    @Test("Pages have people in the order they came, without those who went")
    func pages() async throws {
        let box = try await Box { seed in
            seed.people = (1...5).map { SeedPerson(email: "p\($0)@example.com") }
        }
        try await box.apple.deletePerson("p2@example.com")
        _ = try await box.apple.add(.person, ["email": "p2@example.com"])
        for (start, count, numbers) in [(0, 2, [1, 3]), (3, 9, [5, 2]), (Int.max, 9, [])] {
            let page = await box.apple.consolePeople(matching: "", from: start, maximumCount: count)
            let emails = page["people"]?.arrayValue?.compactMap { $0.objectValue?["email"] }
            #expect(emails == numbers.map { .string("p\($0)@example.com") })
            #expect(page["total"] == 5)
        }
    }

    @Test("Consent is requested once per group") func group() async throws {
        let box = try await Box { seed in seed.addApp("com.example.juice.extra", group: Box.app) }
        _ = try await box.credentials()
        let extra = try await box.credentials(["client_id": "com.example.juice.extra"])
        #expect(extra["full_name"] == nil)
        #expect(try await box.signInOnTheWeb()["user"] == nil)
    }

    @Test("A user who stops and signs in again keeps the identifiers, and sees the consent again")
    func comingBack() async throws {
        let first = try await box.credentials(["email": "hide"])
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        let again = try await box.credentials(["email": "hide"])
        #expect(again["user"] == first["user"])
        #expect(again["email"] == first["email"])
        #expect(again["full_name"] != nil)
    }

    @Test("The credential state follows what the person does") func credentialState() async throws {
        #expect(try await box.state() == "not_found")
        let fields = try await box.signInOnTheWeb(decision: ["email": "hide"])
        #expect(try await box.state() == "authorized")
        let tokens = try await box.exchange(fields["code"] ?? "")
        try await box.apple.setForwarding(Box.maya, clientID: ClientID(Box.web), enabled: false)
        #expect(await box.apple.state().text.contains(#""forwarding":false"#))
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.web))
        #expect(try await box.state() == "revoked")
        #expect(try await box.refresh(tokens["refresh_token"])["error"] == "invalid_grant")
        await box.expectRefusal(.notFound) {
            try await $0.stopUsing(Box.maya, clientID: ClientID(Box.web))
        }
    }

    @Test("A deleted person's tokens end, and the address can be someone new")
    func deletion() async throws {
        let tokens = try await box.tokens()
        try await box.apple.deletePerson("MAYA@example.com")
        #expect(try await box.refresh(tokens["refresh_token"])["error"] == "invalid_grant")
        await box.expectRefusal(.notFound) { _ in try await box.credentials() }
        _ = try await box.apple.add(.person, ["email": "maya@example.com"])
        let new = try await box.credentials()
        #expect(new["user"] != TokenText(tokens["id_token"]).claims["sub"])
    }

    @Test("A wrong overrides of a device is refused by name") func wrong() async {
        await box.expectRefused([
            (["client_id": "com.example.juice.web"], "client_id"),
            (["client_id": "com.example.none"], "client_id"), (["email": "both"], "email"),
            (["scopes": "name"], "scopes"), (["real_user_status": "3"], "real_user_status"),
        ]) { try await box.credentials($0) }
        await box.expectRefused([(["colour": "red"], "colour")], kind: .unknownField) {
            try await box.credentials($0)
        }
    }

    private let change: JSONObject = ["password": "pear"]

    @Test("Refresh tokens of every app are revoked; codes and consent stay valid")
    func refreshTokens() async throws {
        let token = try #require(try await box.tokens()["refresh_token"])
        let waiting = try await box.code()
        try await box.apple.changePassword(of: Box.maya, change)
        #expect(try await box.refresh(token)["error"] == "invalid_grant")
        let next = try await box.exchange(waiting)
        #expect(try await box.refresh(next["refresh_token"]).status == 200)
        #expect(try await box.state() == "authorized")
        #expect(await box.notifications().isEmpty)
    }

    @Test("Tokens stay on request, and other users' tokens always stay")
    func keptTokens() async throws {
        let token = try #require(try await box.tokens()["refresh_token"])
        try await box.apple.changePassword(of: "noah@example.com", change)
        #expect(try await box.refresh(token).status == 200)
        let keeping: JSONObject = ["password": "plum", "keep_tokens": true]
        try await box.apple.changePassword(of: Box.maya, keeping)
        #expect(try await box.refresh(token).status == 200)
    }

    @Test("Browsers are signed out, also in the midst of a sheet; the new password signs in")
    func browsers() async throws {
        let open = await box.signIn(await box.authorize())
        let cookie = open.cookie
        try await box.apple.changePassword(of: Box.maya, change)
        let stale = await box.step(open, "continue", Box.consent)
        #expect(stale.status == 400 && stale.hiddenFields["code"] == nil)
        let page = await box.authorize(headers: [.cookie: cookie ?? ""])
        #expect(page.asksPassword)
        #expect(await box.signIn(page).consent == nil)
        #expect(await box.signIn(await box.authorize(), password: "pear").consent != nil)
    }

    @Test("A reset brings the seed's password back") func reset() async throws {
        try await box.apple.changePassword(of: Box.maya, change)
        try await box.apple.reset()
        #expect(await box.signIn(await box.authorize()).consent != nil)
    }

    @Test("Wrong fields are named, and so is who is not there") func wrongPassword() async {
        func expect(
            _ mistakes: [(JSONObject, String)],
            _ kind: ControlRefusal.Kind,
            of email: String = Box.maya
        ) async {
            await box.expectRefused(mistakes, kind: kind) {
                try await box.apple.changePassword(of: email, $0)
            }
        }
        await expect(
            [
                ([:], "password"), (["password": 1], "password"), (["password": ""], "password"),
                (["password": "x", "keep_tokens": "no"], "keep_tokens"),
            ],
            .wrongField
        )
        await expect([(["password": "x", "colour": "red"], "colour")], .unknownField)
        await expect([(change, "email")], .notFound, of: "nobody@example.com")
        #expect(await box.signIn(await box.authorize()).consent != nil)
    }
}
