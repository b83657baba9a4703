import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTMLPages
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AccountsServer

@Suite(TestServer.lending) struct AccountPageTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    @Test func nameIsChangedOnThePage() async throws {
        try await browser.signIn()
        let saved = try await browser.post("/account/name", [("name", "Maya & <Co>")])
        #expect(saved.headers[.location] == "/?saved")
        #expect(try await browser.get("/?saved").text.contains("Maya &amp; &lt;Co&gt;"))
        let long = String(repeating: "n", count: 201)
        let refused = try await browser.post("/account/name", [("name", long)])
        expectRefusal(refused, .unprocessableContent, "name_too_long")
        #expect(refused.text.contains("value=\"\(long)\""))
    }

    @Test(arguments: [[], [("nam", "Noah")], [("name", "Noah"), ("name", "Nora")]])
    func formWithoutExactlyOneNameChangesNothing(_ fields: [(String, String)]) async throws {
        try await browser.signIn(name: PersonName(givenName: "Maya"))
        let refused = try await browser.post("/account/name", fields)
        expectRefusal(refused, .unprocessableContent, "field_not_once")
        #expect(try await browser.get("/").text.contains("Hello, Maya"))
    }

    @Test func blankNameRemovesTheNameAndSaysSo() async throws {
        try await browser.signIn(name: PersonName(givenName: "Maya"))
        let unchanged = try await browser.post("/account/name", [("name", "Maya")])
        #expect(unchanged.headers[.location] == "/")
        let emptied = try await browser.post("/account/name", [("name", " ")])
        #expect(emptied.headers[.location] == "/?saved")
        let page = try await browser.get("/?saved").text
        #expect(page.contains("Your name was removed.") && !page.contains("Saved."))
        #expect(!page.contains("Hello, Maya"))
        let again = try await browser.post("/account/name", [("name", "")])
        #expect(again.headers[.location] == "/")
    }

    @Test func signingOutEndsTheSession() async throws {
        try await browser.signIn()
        let answer = try await browser.post("/sign-out")
        #expect(answer.headers[.location] == "/sign-in?notice=signed-out")
        #expect(browser.cookieNames.isEmpty)
        #expect(try await browser.get("/").headers[.location] == "/sign-in")
    }

    @Test func sessionsAreEndedOnThePage() async throws {
        let other = TestBrowser(server)
        let third = TestBrowser(server)
        for browser in [browser, other, third] { try await browser.signIn() }
        let page = try await browser.get("/").text
        let match = try #require(
            page.firstMatch(of: /action="(\/account\/sessions\/[^"]+\/end)"/)
        )
        #expect(try await browser.post(String(match.1)).headers[.location] == "/")
        #expect(try await browser.post("/account/sessions/end-others").status == .seeOther)
        for browser in [other, third] {
            let ended = "/sign-in?notice=session-ended"
            #expect(try await browser.get("/").headers[.location] == ended)
        }
        #expect(try await browser.get("/").status == .ok)
    }

    @Test func sessionsHaveMethodTimeAndDevice() async throws {
        try await browser.createAccount()
        let time = PageLanguage.english.moment(server.apple.time.now)
        let page = try await browser.get("/").text
        let signedIn = try #require(page.range(of: "signed in with a password on <time class="))
        #expect(page[signedIn.upperBound...].contains("\(time)</time>"))
        #expect(page.contains("Safari on Mac"))
        let other = TestBrowser(server)
        try await other.signIn(as: "noah@example.com")
        #expect(try await other.get("/").text.contains("signed in with Apple on <time"))
    }

    @Test func freshSignInDeletesAfterConfirmation() async throws {
        try await browser.signIn()
        let page = try await browser.get("/account/delete")
        #expect(page.text.contains("Delete my account"))
        let answer = try await browser.post("/account/delete")
        #expect(answer.headers[.location] == "/sign-in?notice=deleted")
        #expect(browser.cookieNames.isEmpty)
        let shown = try await browser.get("/sign-in?notice=deleted").text
        #expect(shown.contains("has been deleted"))
    }

    @Test func oldSignInLeadsThroughAppleBeforeDeletion() async throws {
        try await browser.signIn()
        server.apple.time.advance(bySeconds: 601)
        let page = try await browser.get("/account/delete").text
        #expect(!page.contains("Delete my account"))
        #expect(
            page.contains("href=\"/sign-in/apple?return_to=/account/delete&amp;purpose=confirm\"")
        )
        let refused = try await browser.post("/account/delete")
        expectRefusal(refused, .forbidden, "recent_sign_in_required")
        #expect(refused.text.contains("href=\"/confirm?return_to=/account/delete\""))
        let callback = try await browser.callback(goal: "?return_to=/account/delete")
        #expect(try await browser.post(callback).headers[.location] == "/account/delete")
        #expect(try await browser.get("/account/delete").text.contains("Delete my account"))
    }

    @Test func returnPathElsewhereLeadsToTheAccount() async throws {
        let callback = try await browser.callback(goal: "?return_to=https%3A%2F%2Fevil.example")
        #expect(try await browser.post(callback).headers[.location] == "/")
    }

    @Test(arguments: [
        "/sign-in/apple?purpose=link&return_to=/", "/sign-in/%61pple?purpose=link",
        "/./sign-in/apple?purpose=link", "/sign-in/app?client_id=x", "/account/export",
        "/account/name", "/api/account",
    ])
    func noSignInEndsWhereSomethingBegins(_ path: String) async throws {
        try await browser.createAccount(PasswordPerson.fields + [("return_to", path)])
        let page = try await TestBrowser(server)
            .get("/sign-in?" + TestBrowser.form([("return_to", path)]))
        #expect(page.hidden("return_to") == nil)
        let password = PasswordPerson.password
        let signedIn = try await browser.signIn(password: password, returningTo: path)
        #expect(signedIn.headers[.location] == "/")
        let callback = try await browser.callback(
            as: "noah@example.com",
            goal: "?" + TestBrowser.form([("return_to", path)])
        )
        #expect(try await browser.post(callback).headers[.location] == "/")
    }

    @Test(arguments: [
        "/account/name", "/account/delete", "/account/sessions/x/end",
        "/account/sessions/end-others", "/sign-out", "/account/email", "/account/password",
        "/account/email/verification", "/account/email/cancel", "/account/apple/unlink",
        "/sign-in/password",
        "/create-account", "/forgot-password", "/reset-password", "/verify-email",
    ])
    func changesFromOtherSitesAreRefused(_ path: String) async throws {
        try await browser.signIn()
        for site in ["cross-site", "same-site", "none"] {
            let refused = try await browser.post(path, [("name", "x")], site: site)
            expectRefusal(refused, .forbidden, "cross_site_request")
        }
        for origin in [nil, "null", "https://evil.example", "http://juice.example.com"] {
            let refused = try await browser.post(path, site: nil, origin: origin)
            #expect(refused.code == "cross_site_request")
        }
        #expect(try await browser.get("/").status == .ok)
    }

    @Test func olderBrowsersAreKnownByTheirOrigin() async throws {
        try await browser.signIn()
        let form = [("name", "Maya")]
        let origin = TestServer.publicURL
        let answer = try await browser.post("/account/name", form, site: nil, origin: origin)
        #expect(answer.status == .seeOther)
    }

    @Test func endedSessionOnAPageLeadsToTheSignIn() async throws {
        try await browser.signIn()
        server.apple.time.advance(bySeconds: 61 * 86_400)
        let path = try #require(try await browser.get("/account/apple").headers[.location])
        #expect(path == "/sign-in?return_to=/account/apple&notice=session-ended")
        #expect(browser.cookieNames.isEmpty)
        #expect(try await browser.get(path).text.contains("Your session has ended."))
        #expect(try await browser.get("/").headers[.location] == "/sign-in")
    }
}
