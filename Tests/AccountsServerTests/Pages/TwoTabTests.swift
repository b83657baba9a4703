import Accounts
import AccountsSQLite
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Testing

@Suite("Two tabs of one browser, one with a password and one with Apple", TestServer.lending)
struct TwoTabTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    private static let linkGoal = "?return_to=/%3Fnotice%3Dapple-linked&purpose=link"

    @Test("Whichever ends last, one session is left", arguments: [true, false], [true, false])
    func oneSession(appleEndsLast: Bool, wasSignedIn: Bool) async throws {
        try await TestBrowser(server).createAccount()
        try await server.endAllSessions()
        if wasSignedIn { try await browser.signIn(as: "noah@example.com") }
        let callback = try await browser.callback()
        if !appleEndsLast {
            #expect(try await browser.post(callback).headers[.location] == "/")
        }
        let signedIn = try await browser.signIn(password: PasswordPerson.password)
        #expect(signedIn.headers[.location] == "/")
        if appleEndsLast {
            #expect(try await browser.post(callback).headers[.location] == "/")
        }
        #expect(try await server.count("sessions") == 1)
        let page = try await browser.get("/").text
        #expect(page.contains(appleEndsLast ? "maya@example.com" : "You sign in as maya."))
        #expect(browser.cookieNames == ["__Host-siwa-session", "__Host-siwa-device"])
    }

    @Test("A new account's session does not outlive a sign-in with Apple in another tab either")
    func newAccount() async throws {
        let callbacks = [
            try await browser.callback(), try await browser.callback(as: "noah@example.com"),
        ]
        try await browser.createAccount()
        for callback in callbacks {
            #expect(try await browser.post(callback).status == .seeOther)
            #expect(try await server.count("sessions") == 1)
        }
    }

    @Test("A link that one account started does not go to another account of the browser")
    func link() async throws {
        try await TestBrowser(server).createAccount([
            ("username", "noah"), ("password", PasswordPerson.password),
        ])
        try await browser.createAccount()
        let callback = try await browser.callback(goal: Self.linkGoal)
        _ = try await browser.signIn(username: "noah", password: PasswordPerson.password)
        #expect(try await browser.post(callback).code == "session_invalid")
        let page = try await browser.get("/").text
        #expect(page.contains("You sign in as noah."))
        #expect(page.contains("Not linked"))
    }
}

extension TestServer {
    fileprivate func endAllSessions() async throws {
        let tokens = try await store.queue.read {
            try Row.fetchAll($0, sql: "SELECT id, account_id FROM sessions").map {
                (id: $0["id"] as String, account: $0["account_id"] as String)
            }
        }
        for token in tokens {
            _ = try await store.endSession(
                SessionID(token.id),
                of: AccountID(token.account),
                now: apple.time.now
            )
        }
    }
}
