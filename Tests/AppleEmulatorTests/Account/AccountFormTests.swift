import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

// Fidelity: sheet-32
@Suite("Forms of the account page that are refused") struct AccountFormTests {
    private static let forms: [(path: String, fields: [String: String])] = [
        ("/account/stop-using", ["client_id": Box.app]),
        ("/account/forwarding", ["client_id": Box.app, "enabled": "false"]),
        ("/account/forward-to", ["address": "maya@work.example.com"]),
        ("/account/delete", ["understood": "yes"]), ("/account/sign-out", [:]),
    ]

    private func signedIn() async throws -> (Box, AccountBrowser, token: String) {
        let box = try await Box { $0.people[0].otherEmails = ["maya@work.example.com"] }
        _ = try await box.credentials(["email": "hide"])
        var browser = AccountBrowser(box)
        let token = await browser.signIn().hiddenFields["token"]
        return (box, browser, try #require(token))
    }

    private func expectUntouched(_ box: Box, _ browser: AccountBrowser) async {
        var browser = browser
        #expect(await box.notifications().isEmpty)
        #expect(await box.apple.state().text.contains(#""forward_to":"maya@example.com""#))
        #expect(await browser.open("/account").overview?.apps.count == 1)
    }

    @Test("Without the session's token nothing is done") func token() async throws {
        var (box, browser, _) = try await signedIn()
        var noah = AccountBrowser(box)
        let others = await noah.signIn("noah@example.com").hiddenFields["token"]
        for (path, fields) in Self.forms {
            for token in [nil, "", "x", others] {
                var fields = fields
                fields["token"] = token
                let reply = await browser.post(path, fields)
                #expect(reply.status == 403, "\(path)")
                #expect(reply.problem == .outOfDate)
                #expect(reply.header("Set-Cookie") == nil)
            }
        }
        await expectUntouched(box, browser)
    }

    @Test(
        "A form from another site is refused, even with the token",
        arguments: [
            ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"),
            ("Origin", "https://evil.example"), ("Origin", "null"),
            ("Origin", "https://appleid.apple.com:444"),
        ]
    )
    func crossSite(field: String, value: String) async throws {
        var (box, browser, token) = try await signedIn()
        let name = try #require(HTTPField.Name(field))
        for (path, fields) in Self.forms {
            let fields = fields.merging(["token": token]) { $1 }
            let reply = await browser.post(path, fields, headers: [name: value])
            #expect(reply.status == 403, "\(path)")
            #expect(reply.problem == .otherSite)
        }
        await expectUntouched(box, browser)
    }

    @Test(
        "A form of the page itself is taken",
        arguments: [
            ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "none"),
            ("Origin", "https://appleid.apple.com"), ("Origin", "https://APPLEID.apple.com"),
        ]
    )
    func ownSite(field: String, value: String) async throws {
        var (_, browser, token) = try await signedIn()
        let name = try #require(HTTPField.Name(field))
        let headers: HTTPFields = [name: value]
        #expect(
            await browser.post("/account/sign-out", ["token": token], headers: headers).status
                == 303
        )
    }

    @Test("A form on another site can't sign a user in") func crossSiteSignIn() async throws {
        var browser = AccountBrowser(try await Box())
        let page = await browser.open("/account")
        let reply = await browser.submit(
            page,
            to: "/account/sign-in",
            ["email": Box.maya, "password": "apple"],
            headers: [.origin: "https://evil.example"]
        )
        #expect(reply.status == 403 && browser.cookies[AccountBrowser.session] == nil)
    }

    @Test("Without a session nothing is shown and nothing is done") func noSession() async throws {
        let (box, signedIn, token) = try await signedIn()
        var browser = AccountBrowser(box)
        for (path, fields) in Self.forms {
            let reply = await browser.post(path, fields.merging(["token": token]) { $1 })
            #expect(reply.status == 303 && reply.header("Location") == "/account")
        }
        for path in [AccountAppTests.appPath, AccountAppTests.stopPath, "/account/delete"] {
            #expect(await browser.open(path).status == 303)
        }
        await expectUntouched(box, signedIn)
    }

    @Test(
        "An app that the user does not use is not found",
        arguments: [nil, "com.example.none", "com.example.other"]
    )
    func unknownApp(clientID: String?) async throws {
        let box = try await Box { $0.addApp("com.example.other") }
        _ = try await box.credentials()
        var browser = AccountBrowser(box)
        let token = await browser.signIn().hiddenFields["token"] ?? ""
        let query = clientID.map { "?client_id=\($0)" } ?? ""
        #expect(await browser.open("/account/app" + query).status == 404)
        #expect(await browser.open("/account/stop-using" + query).status == 404)
        var fields = ["token": token, "enabled": "true"]
        fields["client_id"] = clientID
        #expect(await browser.post("/account/stop-using", fields).status == 404)
        #expect(await browser.post("/account/forwarding", fields).status == 404)
    }

    @Test("Forwarding needs a hidden address, and on or off") func forwarding() async throws {
        let box = try await Box()
        _ = try await box.credentials(["email": "share"])
        var browser = AccountBrowser(box)
        var fields = ["client_id": Box.app]
        fields["token"] = await browser.signIn().hiddenFields["token"]
        for value in [nil, "", "on"] {
            fields["enabled"] = value
            #expect(await browser.post("/account/forwarding", fields).status == 400)
        }
        fields["enabled"] = "false"
        let reply = await browser.post("/account/forwarding", fields)
        #expect(reply.status == 409 && reply.problem == .noRelayAddress)
        #expect(await box.lastReason().contains("has no relay address"))
    }

    @Test("Each path takes its own methods") func methods() async throws {
        var browser = AccountBrowser(try await Box())
        for (path, method, allowed) in [
            ("/account", HTTPRequest.Method.post, "GET"), ("/account/sign-in", .get, "POST"),
            ("/account/forwarding", .head, "POST"), ("/account/delete", .put, "GET, POST"),
        ] {
            let reply = await browser.send(method, path)
            #expect(reply.status == 405 && reply.header("Allow") == allowed)
        }
        #expect(await browser.open("/account/none").status == 404)
        #expect(await browser.open("/accounts").status == 404)
    }

    @Test("A form that can't be read is refused with its reason") func unreadable() async throws {
        var browser = AccountBrowser(try await Box())
        let json = await browser.send(
            .post,
            "/account/sign-in",
            body: "{}",
            headers: [.contentType: "application/json"]
        )
        #expect(json.status == 400 && json.problem == .notUnderstood)
        let twice = await browser.send(.post, "/account/sign-in", body: "email=a&email=b")
        #expect(twice.status == 400 && twice.problem == .notUnderstood)
        #expect(await browser.open("/account?a=%zz").status == 400)
    }
}
