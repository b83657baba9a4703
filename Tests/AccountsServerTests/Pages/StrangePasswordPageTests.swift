import Accounts
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("A password on the account page after a sign-in with Apple", TestServer.lendingWithMail)
struct StrangePasswordPageTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lendingWithMail.lent }

    @Test("is replaced without the current one, or removed")
    func removed() async throws {
        try await browser.signIn()
        server.apple.time.advance(bySeconds: 1)
        _ = try await browser.post("/account/password", PasswordPerson.firstPassword)
        let page = try await browser.get("/?change=password").text
        #expect(!page.contains("name=\"current_password\""))
        #expect(page.contains("action=\"/account/password/remove\""))
        let changed = try await browser.post(
            "/account/password",
            [("new_password", "battery staple")]
        )
        #expect(changed.headers[.location] == "/?notice=password-changed")
        let removed = try await browser.post("/account/password/remove")
        #expect(removed.headers[.location] == "/?notice=password-removed")
        let left = try await browser.get("/?notice=password-removed").text
        #expect(left.contains("Your password has been removed.") && !left.contains("as maya"))
    }

    @Test("asks for the current one after ten minutes, and is then not removed")
    func late() async throws {
        try await browser.signIn()
        _ = try await browser.post("/account/password", PasswordPerson.firstPassword)
        server.apple.time.advance(bySeconds: 601)
        let page = try await browser.get("/?change=password").text
        #expect(page.contains("name=\"current_password\""))
        #expect(!page.contains("/account/password/remove"))
        let removed = try await browser.post("/account/password/remove")
        #expect(removed.headers[.location]?.hasPrefix("/confirm?return_to=") == true)
    }

    @Test(
        "is removed by the API; a session of the password, and an account without Apple, are refused"
    )
    func api() async throws {
        let token = try await server.token()
        server.apple.time.advance(bySeconds: 1)
        let first: JSONObject = ["username": "maya", "newPassword": .string(TestServer.password)]
        #expect(try await server.put("/api/account/password", first, token).status == .ok)
        let answer = try await server.signIn("maya")
        let strange = try #require(answer.json?["token"]?.stringValue)
        let refused = try await server.delete("/api/account/password", strange)
        #expect(refused.code == "recent_sign_in_required")
        let replaced = try await server.put(
            "/api/account/password",
            ["newPassword": "battery staple"],
            token
        )
        #expect(replaced.status == .ok)
        let removed = try await server.delete("/api/account/password", token)
        #expect(removed.status == .ok && removed.json?["username"] == .null)
        let other = try await server.tokenOfNewAccount("noah")
        let last = try await server.delete("/api/account/password", other)
        #expect(last.status == .conflict && last.code == "last_way_in")
    }
}
