import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("The apps on the account page")
struct AccountAppTests {
    static let appPath = "/account/app?client_id=com.example.juice"
    static let stopPath = "/account/stop-using?client_id=com.example.juice"

    @Test("One entry for a group, with day, shared name and relay address")
    func list() async throws {
        let box = try await Box { seed in
            seed.apps.append(
                SeedApp(
                    clientID: "com.example.juice.extra",
                    teamID: TeamID(Box.team),
                    name: "Juice Extra",
                    primaryClientID: ClientID(Box.app)
                )
            )
        }
        let first = try await box.credentials(["email": "hide", "name": ["given_name": "Mia"]])
        _ = try await box.credentials(["client_id": "com.example.juice.extra"])
        var browser = AccountBrowser(box)
        let account = await browser.signIn()
        let list = account.text
        #expect(list.components(separatedBy: "class=\"row\"").count == 2)
        #expect(list.contains("href=\"/account/app?client_id=com.example.juice\""))
        #expect(list.contains("Hide My Email"))
        let app = await browser.open(Self.appPath).text
        #expect(app.contains("<bdi>\(first["email"]?.stringValue ?? "?")</bdi>"))
        #expect(app.contains("<bdi>Mia</bdi>"))
        #expect(app.contains("Juice Makers") && app.contains("Juice Extra"))
        let day = Date(timeIntervalSince1970: TimeInterval(box.now))
        #expect(app.contains("datetime=\"\(day.formatted(.iso8601))\""))
        let year = Calendar(identifier: .gregorian).component(.year, from: day)
        #expect(app.contains(" \(year)</time>"))
        // Any client of the group names it.
        let same = await browser.open("/account/app?client_id=com.example.juice.web")
        #expect(same.text == app)
    }

    @Test(
        "What the app knows is told as it was agreed",
        arguments: [
            (#"["name"]"#, "Maya Lindgren", "Not shared"),
            (#"["email"]"#, "Not shared", "maya@example.com"), ("[]", "Not shared", "Not shared"),
        ]
    )
    func shared(scopes: String, name: String, email: String) async throws {
        let box = try await Box()
        _ = try await box.credentials(["scopes": JSONValue(parsing: Data(scopes.utf8))])
        var browser = AccountBrowser(box)
        _ = await browser.signIn()
        let app = await browser.open(Self.appPath)
        let facts = app.text.matches(of: /<dd><bdi>([^<]*)<\/bdi><\/dd>/).map { String($0.1) }
        #expect(facts == [name, email])
        #expect(!app.text.contains("role=\"switch\""))
    }

    @Test("Stop using: asked first, then tokens end, the developer is told, the sheet asks again")
    func stopUsing() async throws {
        let box = try await Box()
        let fields = try await box.signInOnTheWeb()
        let tokens = try await box.exchange(fields["code"] ?? "")
        var browser = AccountBrowser(box)
        _ = await browser.signIn()
        let asking = await browser.open(Self.stopPath)
        #expect(asking.text.contains("Stop using your account with"))
        #expect(await box.notifications().isEmpty)
        let reply = await browser.submit(asking, to: "/account/stop-using")
        #expect(reply.status == 303 && reply.header("Location") == "/account?done=stopped")
        #expect(await box.texts("type") == ["consent-revoked"])
        #expect(try await box.refresh(tokens["refresh_token"] ?? "")["error"] == "invalid_grant")
        let state = try await box.apple.credentialState(of: Box.maya, clientID: Box.app)
        #expect(state == "revoked")
        let after = await browser.open("/account?done=stopped")
        #expect(after.text.contains("role=\"status\"") && !after.text.contains("class=\"row\""))
        let sheet = await browser.open("/auth/authorize?" + Box.encode(Box.authorizeFields))
        #expect(sheet.text.contains("email_choice"))
    }

    @Test("The forwarding of one app's mail goes off and on, and the developer is told")
    func forwarding() async throws {
        let box = try await Box()
        _ = try await box.credentials(["email": "hide"])
        var browser = AccountBrowser(box)
        _ = await browser.signIn()
        for (isOn, event) in [(false, "email-disabled"), (true, "email-enabled")] {
            let app = await browser.open(Self.appPath)
            #expect(app.text.contains("aria-checked=\"\(!isOn)\""))
            let reply = await browser.submit(
                app,
                to: "/account/forwarding",
                ["enabled": "\(isOn)"]
            )
            #expect(reply.status == 303)
            #expect(await box.texts("type").contains(event))
            let after = await browser.open(reply.header("Location") ?? "")
            #expect(after.text.contains("aria-checked=\"\(isOn)\""))
            #expect(after.text.contains("role=\"status\""))
        }
        #expect(await box.notifications().count == 2)
    }

    @Test("Hidden mail goes to one of the person's addresses, as they choose")
    func forwardTo() async throws {
        let box = try await Box { $0.people[0].otherEmails = ["maya@work.example.com"] }
        var browser = AccountBrowser(box)
        let account = await browser.signIn()
        #expect(account.text.contains("value=\"maya@example.com\" checked"))
        let reply = await browser.submit(
            account,
            to: "/account/forward-to",
            ["address": "maya@work.example.com"]
        )
        #expect(reply.header("Location") == "/account?done=forward-to")
        let after = await browser.open("/account?done=forward-to")
        #expect(after.text.contains("value=\"maya@work.example.com\" checked"))
        #expect(await box.apple.state().text.contains(#""forward_to":"maya@work.example.com""#))
        _ = try await box.credentials(["email": "hide"])
        #expect(await browser.open(Self.appPath).text.contains("maya@work.example.com"))
        for address in ["noah@example.com", "", "MAYA@example.com"] {
            let reply = await browser.submit(
                after,
                to: "/account/forward-to",
                ["address": address]
            )
            #expect(reply.status == 400)
        }
        #expect(await box.apple.state().text.contains(#""forward_to":"maya@work.example.com""#))
    }

    @Test("Who has one address chooses nothing")
    func oneAddress() async throws {
        var browser = AccountBrowser(try await Box())
        #expect(await !browser.signIn().text.contains("/account/forward-to"))
    }

    @Test("Deleting the account: understood first, then everybody is told and signed out")
    func delete() async throws {
        let box = try await Box()
        _ = try await box.credentials()
        var browser = AccountBrowser(box)
        var second = AccountBrowser(box)
        _ = await browser.signIn()
        _ = await second.signIn()
        let page = await browser.open("/account/delete")
        #expect(page.text.contains("<bdi>Juice</bdi>"))
        let unsure = await browser.submit(page, to: "/account/delete")
        #expect(unsure.status == 400 && unsure.text.contains("role=\"alert\""))
        #expect(await box.notifications().isEmpty)
        let reply = await browser.submit(page, to: "/account/delete", ["understood": "yes"])
        #expect(reply.header("Location") == "/account?done=deleted")
        #expect(reply.header("Set-Cookie")?.contains("Max-Age=0") == true)
        #expect(await box.texts("type") == ["account-deleted"])
        #expect(await second.open("/account").text.contains("name=\"password\""))
        let after = await browser.open("/account?done=deleted")
        #expect(after.text.contains("The Apple Account was deleted."))
        #expect(!after.text.contains(Box.maya))
    }
}
