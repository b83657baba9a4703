import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

// Fidelity: sheet-20, sheet-30, sheet-31
@Suite("Signing in to the account page") final class AccountSignInTests: BoxSuite {
    @Test("The whole way: password, six digits, the account") func wholeWay() async throws {
        let box = try await Box { $0.people[0].hasTwoFactor = true }
        var browser = AccountBrowser(box)
        let page = await browser.open("/account")
        #expect(page.status == 200 && page.account != nil && page.asksPassword)
        let digitsPage = await browser.signIn(page, "MAYA@example.com")
        #expect(browser.cookies[AccountBrowser.session] == nil)
        let digits = try #require(digitsPage.digits)
        let answer = await browser.submit(digitsPage, to: "/account/two-factor", ["code": digits])
        #expect(answer.status == 303 && answer.header("Location") == "/account")
        #expect(browser.cookies[AccountBrowser.session] != nil)
        let account = await browser.open("/account")
        let overview = try #require(account.overview)
        #expect(overview.holder.name == "Maya Lindgren" && overview.apps.isEmpty)
    }

    @Test("Who signed in to the account page is signed in on the sheet, and the other way round")
    func oneSession() async throws {
        var browser = AccountBrowser(box)
        _ = await browser.signIn()
        let sheet = await browser.open(Box.authorizePath)
        #expect(sheet.consent?.familyName == "Lindgren")

        var other = AccountBrowser(box)
        let asking = await other.open(Box.authorizePath)
        _ = await other.submit(
            asking,
            to: "/auth/authorize/sheet",
            ["action": "sign-in", "email": "noah@example.com", "password": "apple"]
        )
        #expect(await other.open("/account").overview?.holder.name == "Noah Okafor")
    }

    @Test("A wrong password and a wrong code are shown, and the email address stays")
    func wrong() async throws {
        let box = try await Box { $0.people[0].hasTwoFactor = true }
        var browser = AccountBrowser(box)
        let page = await browser.open("/account")
        for email in [Box.maya, "nobody@example.com"] {
            let reply = await browser.signIn(page, email, password: "pear")
            #expect(reply.status == 403 && reply.problem == .wrongPassword)
            #expect(reply.askedEmail == email)
        }
        _ = await browser.signIn(page)
        let reply = await browser.submit(page, to: "/account/two-factor", ["code": "12345"])
        #expect(reply.status == 403 && reply.problem == .wrongDigits && reply.digits != nil)
        #expect(browser.cookies[AccountBrowser.session] == nil)
        #expect(await box.apple.requests().last?["reason"] == "the verification code is wrong")
    }

    @Test("Five wrong attempts end the sign-in") func attempts() async throws {
        var browser = AccountBrowser(try await Box())
        let page = await browser.open("/account")
        for attempt in 1...6 {
            let reply = await browser.signIn(page, password: attempt < 6 ? "pear" : "apple")
            #expect(reply.hiddenFields.isEmpty == (attempt >= 5))
            #expect(reply.status == (attempt < 6 ? 403 : 400))
        }
        #expect(browser.cookies[AccountBrowser.session] == nil)
    }

    @Test("A sign-in may take ten minutes, in one browser, and counts once")
    func bounds() async throws {
        let person = ["email": Box.maya, "password": "apple"]
        var browser = AccountBrowser(box)
        let slow = await browser.open("/account")
        try await box.advance(bySeconds: 600)
        #expect(await browser.signIn(slow).status == 400)

        let page = await browser.open("/account")
        var stranger = AccountBrowser(box)
        #expect(await stranger.signIn(page).status == 400)
        _ = await stranger.open("/account")
        #expect(await stranger.signIn(page).status == 400)
        #expect(await browser.submit(page, to: "/account/two-factor", ["code": ""]).status == 400)
        #expect(await browser.signIn(page).status == 303)
        #expect(await browser.signIn(page).status == 400)
        #expect(await browser.post("/account/sign-in", person).status == 400)
    }

    @Test("After eight hours, and when the clock is moved back, sign-in is required again")
    func session() async throws {
        var browser = AccountBrowser(box)
        #expect(await browser.signIn().overview?.holder.name == "Maya Lindgren")
        try await box.advance(bySeconds: 8 * 3_600)
        #expect(await browser.open("/account").asksPassword)
        #expect(await browser.signIn().overview?.holder.name == "Maya Lindgren")
        _ = try await box.apple.moveClock(["now": .integer(box.now)])
        #expect(await browser.open(Box.authorizePath).asksPassword)
        #expect(await browser.open("/account").asksPassword)
    }

    @Test("Signing out ends the session, on the sheet too") func signOut() async throws {
        var browser = AccountBrowser(box)
        let account = await browser.signIn()
        let cookies = browser.cookieField
        let reply = await browser.submit(account, to: "/account/sign-out")
        #expect(reply.status == 303 && reply.header("Location") == "/account?done=signed-out")
        #expect(reply.header("Set-Cookie")?.contains("Max-Age=0") == true)
        #expect(await browser.open("/account?done=signed-out").account?.notice == .signedOut)
        for path in ["/account", Box.authorizePath] {
            let reply = await box.send(.get, path, headers: [.cookie: cookies], from: CookieJar())
            #expect(reply.asksPassword)
        }
    }

    @Test("HEAD begins nothing") func head() async throws {
        var browser = AccountBrowser(try await Box())
        let reply = await browser.open("/account", method: .head)
        #expect(reply.status == 200 && reply.answer.body.isEmpty)
        #expect(reply.header("Set-Cookie") == nil)
    }
}
