import AppleEmulator
import AppleIdentity
import Foundation
import Testing

// Fidelity: sheet-28, sheet-29, sheet-30
@Suite("The apps on the account page") final class AccountAppTests: BoxSuite {
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
        #expect(account.overview?.apps.map(\.group) == [ClientID(Box.app)])
        let app = try #require(await browser.open(Self.appPath).app)
        let relayAddress = try #require(first["email"]?.stringValue)
        #expect(app.email == .hidden(relayAddress: relayAddress, isForwarded: true))
        #expect(app.sharedName == "Mia")
        #expect(app.developer == "Juice Makers" && app.otherNames.contains("Juice Extra"))
        #expect(app.usedAt == Date(timeIntervalSince1970: TimeInterval(box.now)))
        // Any client of the group names it.
        #expect(await browser.open("/account/app?client_id=com.example.juice.web").app == app)
    }

    @Test(
        "The app's data is shown as it was shared",
        arguments: [
            (#"["name"]"#, "Maya Lindgren", .notShared),
            (#"["email"]"#, nil, .shared("maya@example.com")), ("[]", nil, .notShared),
        ] as [(String, String?, AccountApp.Email)]
    )
    func shared(scopes: String, name: String?, email: AccountApp.Email) async throws {
        _ = try await box.credentials(["scopes": JSONValue(parsing: Data(scopes.utf8))])
        var browser = AccountBrowser(box)
        _ = await browser.signIn()
        let app = await browser.open(Self.appPath)
        #expect(app.app?.sharedName == name && app.app?.email == email)
    }

    @Test("Stop using: confirmation, revoked tokens, a notification, and a new consent")
    func stopUsing() async throws {
        let tokens = try await box.tokens()
        var browser = AccountBrowser(box)
        _ = await browser.signIn()
        let asking = await browser.open(Self.stopPath)
        guard case .stopUsing(let app) = asking.account?.content else {
            Issue.record("\(asking)")
            return
        }
        #expect(app.name == "Juice")
        #expect(await box.notifications().isEmpty)
        let reply = await browser.submit(asking, to: "/account/stop-using")
        #expect(reply.status == 303 && reply.header("Location") == "/account?done=stopped")
        #expect(await box.texts("type") == ["consent-revoked"])
        #expect(try await box.refresh(tokens["refresh_token"])["error"] == "invalid_grant")
        #expect(try await box.state() == "revoked")
        let after = await browser.open("/account?done=stopped")
        #expect(after.account?.notice == .stopped && after.overview?.apps.isEmpty == true)
        #expect(await browser.open(Box.authorizePath).consent?.asksEmail == true)
    }

    @Test("Forwarding of one app's mail is turned off and on, with notifications")
    func forwarding() async throws {
        _ = try await box.credentials(["email": "hide"])
        var browser = AccountBrowser(box)
        _ = await browser.signIn()
        for (isOn, event) in [(false, "email-disabled"), (true, "email-enabled")] {
            let app = await browser.open(Self.appPath)
            #expect(isForwarded(app) == !isOn)
            let reply = await browser.submit(app, to: "/account/forwarding", ["enabled": "\(isOn)"])
            #expect(reply.status == 303)
            #expect(await box.texts("type").contains(event))
            let after = await browser.open(reply.header("Location") ?? "")
            #expect(isForwarded(after) == isOn)
            #expect(after.account?.notice == (isOn ? .forwardingOn : .forwardingOff))
        }
        #expect(await box.notifications().count == 2)
    }

    private func isForwarded(_ page: Reply) -> Bool? {
        if case .hidden(_, let isForwarded) = page.app?.email { isForwarded } else { nil }
    }

    @Test("Hidden mail goes to one of the person's addresses, as they choose")
    func forwardTo() async throws {
        let box = try await Box { $0.people[0].otherEmails = ["maya@work.example.com"] }
        var browser = AccountBrowser(box)
        let account = await browser.signIn()
        #expect(account.overview?.holder.forwardingAddress == "maya@example.com")
        let reply = await browser.submit(
            account,
            to: "/account/forward-to",
            ["address": "maya@work.example.com"]
        )
        #expect(reply.header("Location") == "/account?done=forward-to")
        let after = await browser.open("/account?done=forward-to")
        #expect(after.overview?.holder.forwardingAddress == "maya@work.example.com")
        #expect(await box.apple.state().text.contains(#""forward_to":"maya@work.example.com""#))
        _ = try await box.credentials(["email": "hide"])
        guard case .app(_, let holder) = await browser.open(Self.appPath).account?.content else {
            Issue.record("there is no page of the app")
            return
        }
        #expect(holder.forwardingAddress == "maya@work.example.com")
        for address in ["noah@example.com", "", "MAYA@example.com"] {
            let reply = await browser.submit(after, to: "/account/forward-to", ["address": address])
            #expect(reply.status == 400)
        }
        #expect(await box.apple.state().text.contains(#""forward_to":"maya@work.example.com""#))
    }

    @Test("Who has one address chooses nothing") func oneAddress() async throws {
        var browser = AccountBrowser(try await Box())
        #expect(await browser.signIn().overview?.holder.addresses == [Box.maya])
    }

    @Test("Deleting the account: confirmation, then notifications and sign-out")
    func delete() async throws {
        _ = try await box.credentials()
        var browser = AccountBrowser(box)
        var second = AccountBrowser(box)
        _ = await browser.signIn()
        _ = await second.signIn()
        let page = await browser.open("/account/delete")
        guard case .delete(_, let apps) = page.account?.content else {
            Issue.record("\(page)")
            return
        }
        #expect(apps.map(\.name) == ["Juice"])
        let unsure = await browser.submit(page, to: "/account/delete")
        #expect(unsure.status == 400 && unsure.problem == .understandFirst)
        #expect(await box.notifications().isEmpty)
        let reply = await browser.submit(page, to: "/account/delete", ["understood": "yes"])
        #expect(reply.header("Location") == "/account?done=deleted")
        #expect(reply.header("Set-Cookie")?.contains("Max-Age=0") == true)
        #expect(await box.texts("type") == ["account-deleted"])
        #expect(await second.open("/account").asksPassword)
        let after = await browser.open("/account?done=deleted")
        #expect(after.account?.notice == .deleted && after.asksPassword)
    }
}
