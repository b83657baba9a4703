import Accounts
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

@Suite("The page that undoes a change", TestServer.lendingWithMail) struct ChangeUndoPageTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lendingWithMail.lent }

    @Test("says what it restores, changes nothing when opened, and ends all sessions when pressed")
    func firstPassword() async throws {
        let token = try await strangePassword()
        let stranger = TestBrowser(server)
        let page = try await stranger.get("/undo-change?token=\(token)")
        #expect(page.status == .ok && page.text.contains("The email address maya@example.com."))
        #expect(page.text.contains("No password.") && !page.text.contains("new_password"))
        #expect(try await browser.get("/").text.contains("You sign in as maya."))
        let undone = try await stranger.post("/undo-change", [("token", token)])
        #expect(undone.status == .ok && undone.text.contains("The change was undone"))
        #expect(undone.text.contains("href=\"/sign-in/apple\""))
        #expect(try await browser.get("/").status == .seeOther)
        #expect(try await browser.signIn(password: PasswordPerson.password).code != nil)
        let again = try await stranger.post("/undo-change", [("token", token)])
        expectRefusal(again, .gone, "link_invalid")
        try await stranger.signIn()
        #expect(!(try await stranger.get("/").text.contains("You sign in as maya.")))
    }

    @Test("keeps the former password, or takes a new one")
    func newPassword() async throws {
        try await browser.createAccount(PasswordPerson.fields + [("email", "maya@example.com")])
        try await confirm("maya@example.com")
        server.apple.time.advance(bySeconds: 1)
        _ = try await browser.post("/account/email", [("email", "new@example.com")])
        try await confirm("new@example.com")
        let token = try await server.linkToken(.emailChanged)
        let page = try await browser.get("/undo-change?token=\(token)").text
        #expect(page.contains("The username maya and its password."))
        let weak = [("token", token), ("new_password", "short")]
        #expect(try await browser.post("/undo-change", weak).code == "password_too_short")
        let undone = try await browser.post(
            "/undo-change",
            [("token", token), ("new_password", "")]
        )
        #expect(undone.status == .ok && undone.text.contains("value=\"maya\""))
        #expect(try await browser.signIn(password: PasswordPerson.password).status == .seeOther)
        #expect(try await browser.get("/").text.contains("maya@example.com"))
    }

    @Test("explains when the Apple Account is linked to another account now")
    func elsewhere() async throws {
        let token = try await strangePassword()
        #expect(try await browser.post("/account/apple/unlink").status == .seeOther)
        // A revocation that is on its way would end the consent of the next sign-in.
        try await waitUntil { await isRevoked }
        server.apple.time.advance(bySeconds: 2)
        let owner = TestBrowser(server)
        try await owner.signIn()
        let undone = try await owner.post("/undo-change", [("token", token)])
        #expect(undone.text.contains("Your Apple Account is linked to another account here."))
        #expect(try await owner.get("/undo-change?token=\(token)").status == .ok)
    }

    @Test("is refused for a broken link, and to other sites")
    func refused() async throws {
        let token = try await strangePassword()
        for query in ["", "?token=", "?token=\(String(repeating: "a", count: 129))", "?token=x"] {
            let answer = try await browser.get("/undo-change" + query)
            expectRefusal(answer, .gone, "link_invalid")
        }
        let headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .origin: "https://evil.example",
        ]
        let crossed = try await server.send(
            .post,
            "/undo-change",
            headers,
            body: "token=\(token)"
        )
        #expect(crossed.code == "cross_site_request")
    }

    /// Signs in with Apple alone, and sets a password, as an intruder does; the token of the mail to the owner.
    private func strangePassword() async throws -> String {
        try await browser.signIn()
        server.apple.time.advance(bySeconds: 1)
        _ = try await browser.post("/account/password", PasswordPerson.firstPassword)
        return try await server.linkToken(.passwordChanged, to: "maya@example.com")
    }

    private var isRevoked: Bool {
        get async {
            await server.apple.emulator.requests().contains {
                $0["path"]?.stringValue == "/auth/revoke" && $0["status"]?.integerValue == 200
            }
        }
    }

    private func confirm(_ address: String) async throws {
        let token = try await server.linkToken(.verification, to: address)
        let answer = try await browser.post("/verify-email", [("token", token)])
        #expect(answer.headers[.location] == "/?notice=email-verified")
    }
}
