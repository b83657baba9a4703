import AccountsSQLite
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Reauthentication with Apple", TestServer.lending) struct ConfirmationByAppleTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    private static let goal = "?return_to=/account/delete&purpose=confirm"

    @Test("The Apple Account of the signed-in account confirms, and the browser keeps one session")
    func rightAccount() async throws {
        try await browser.signIn()
        server.apple.time.advance(bySeconds: 601)
        #expect(!(try await browser.get("/account/delete").text.contains("Delete my account")))
        let answer = try await browser.post(try await browser.callback(goal: Self.goal))
        #expect(answer.headers[.location] == "/account/delete", "\(answer.text)")
        #expect(try await browser.get("/account/delete").text.contains("Delete my account"))
        let page = try await browser.get("/").text
        #expect(page.contains("maya@example.com"))
        #expect(page.components(separatedBy: "Safari on Mac").count == 2)
    }

    @Test(
        "Another Apple Account is refused with an error page, with or without an account here",
        arguments: [true, false]
    )
    func otherAccount(hasAccount: Bool) async throws {
        if hasAccount { try await TestBrowser(server).signIn(as: "noah@example.com") }
        try await browser.signIn()
        server.apple.time.advance(bySeconds: 601)
        let count = try await server.count("accounts")
        let callback = try await browser.callback(as: "noah@example.com", goal: Self.goal)
        let refused = try await browser.post(callback)
        expectRefusal(refused, .forbidden, "apple_account_mismatch")
        #expect(refused.text.contains("This is not the Apple Account"))
        let again = "/sign-in/apple?purpose=confirm&amp;return_to=%2Faccount%2Fdelete"
        #expect(refused.text.contains("href=\"\(again)\""), "\(refused.text)")
        #expect(try await browser.get("/").text.contains("maya@example.com"))
        #expect(!(try await browser.get("/account/delete").text.contains("Delete my account")))
        #expect(try await browser.post("/account/delete").code == "recent_sign_in_required")
        #expect(try await server.count("accounts") == count)
        let right = try await browser.post(try await browser.callback(goal: Self.goal))
        #expect(right.headers[.location] == "/account/delete")
    }

    @Test("An account without an Apple Account is confirmed by none")
    func notLinked() async throws {
        try await browser.createAccount()
        let refused = try await browser.post(try await browser.callback(goal: Self.goal))
        #expect(refused.code == "apple_account_mismatch")
        #expect(try await browser.get("/").text.contains("You sign in as maya."))
    }

    @Test("A confirmation without a session, or after its end, signs no user in")
    func noSession() async throws {
        let stranger = TestBrowser(server)
        let unasked = try await stranger.post(try await stranger.callback(goal: Self.goal))
        #expect(unasked.code == "not_signed_in")
        try await browser.signIn()
        let callback = try await browser.callback(goal: Self.goal)
        _ = try await browser.post("/sign-out")
        #expect(try await browser.post(callback).code == "session_invalid")
        #expect(try await browser.get("/").headers[.location] == "/sign-in")
    }
}
