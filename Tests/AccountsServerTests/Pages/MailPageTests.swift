import Accounts
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The pages that use email", TestServer.lendingWithMail) struct MailPageTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lendingWithMail.lent }

    private static let address = "maya@example.com"
    private static let fields = PasswordPerson.fields + [("email", address)]

    private func verify(_ browser: TestBrowser, _ address: String = address) async throws {
        let token = try await server.linkToken(.verification, to: address)
        let answer = try await browser.post("/verify-email", [("token", token)])
        #expect(answer.headers[.location] == "/?notice=email-verified")
    }

    @Test("Without mail, nothing that needs it is offered")
    func withoutMail() async throws {
        try await withAccountsServer { server in
            let browser = TestBrowser(server)
            #expect(!(try await browser.get("/sign-in").text.contains("/forgot-password")))
            #expect(!(try await browser.get("/create-account").text.contains("name=\"email\"")))
            #expect(try await browser.get("/forgot-password").code == "mail_unavailable")
            let asked = try await browser.post("/forgot-password", [("username", "maya")])
            #expect(asked.code == "mail_unavailable")
            try await browser.createAccount()
            let page = try await browser.get("/?change=email").text
            #expect(!page.contains("/account/email"))
        }
    }

    @Test("A new address counts once the button on the link's page was pressed")
    func verification() async throws {
        try await browser.createAccount(Self.fields)
        let before = try await browser.get("/").text
        #expect(before.contains("Not confirmed"))
        #expect(before.contains("action=\"/account/email/verification\""))
        let token = try await server.linkToken(.verification)
        let page = try await browser.get("/verify-email?token=\(token)").text
        #expect(page.contains("name=\"token\" value=\"\(token)\""))
        #expect(page.contains("Confirm \(Self.address) only if"))
        #expect(try await browser.get("/").text.contains("Not confirmed"))
        try await verify(browser)
        let after = try await browser.get("/?notice=email-verified").text
        #expect(after.contains("Your email address is confirmed."))
        #expect(!after.contains("Not confirmed"))
        let again = try await browser.post("/verify-email", [("token", token)])
        expectRefusal(again, .gone, "link_invalid")
        #expect(try await browser.get("/verify-email?token=\(token)").code == "link_invalid")
    }

    @Test(
        "An account is created after strangers used up the mails to its address, and requests the link later"
    )
    func strangersMails() async throws {
        for number in 0..<3 {
            let email = ("email", "maya+\(number)@example.com")
            let stranger = ("username", "stranger\(number)")
            let fields = [stranger, ("password", PasswordPerson.password), email]
            try await TestBrowser(server).createAccount(fields)
        }
        try await browser.createAccount(Self.fields)
        let page = try await browser.get("/").text
        #expect(page.contains("No valid link to confirm this address was sent."))
        #expect(page.contains(">Send link</button>"))
        let early = try await browser.post("/account/email/verification")
        #expect(early.code == "too_many_attempts")
        server.apple.time.advance(bySeconds: 61)
        #expect(try await browser.post("/account/email/verification").status == .seeOther)
        #expect(try await browser.get("/").text.contains("Open the link that we sent"))
        try await verify(browser)
    }

    @Test("The link to an address leads through the sign-in, and is valid only for its account")
    func verificationSignedOut() async throws {
        try await browser.createAccount(Self.fields)
        let token = try await server.linkToken(.verification)
        let path = "/verify-email?token=\(token)"
        let back = "/sign-in?return_to=/verify-email%3Ftoken%3D\(token)"
        let stranger = TestBrowser(server)
        #expect(try await stranger.get(path).headers[.location] == back)
        let asking = "Sign in to confirm m•••@example.com."
        #expect(try await stranger.get(back).text.contains(asking))
        let wrong = try await stranger.signIn(password: "wrong", returningTo: path)
        #expect(wrong.text.contains(asking))
        let invalid = try await stranger.get("\(back.dropLast())x").text
        #expect(!invalid.contains("Sign in to confirm"))
        let posted = try await stranger.post("/verify-email", [("token", token)])
        #expect(posted.headers[.location] == back)
        let fields = [("username", "stranger"), ("password", PasswordPerson.password)]
        try await stranger.createAccount(fields)
        #expect(try await stranger.get(path).code == "link_invalid")
        let other = try await stranger.post("/verify-email", [("token", token)])
        #expect(other.code == "link_invalid" && !other.text.contains(Self.address))
        let owner = TestBrowser(server)
        let signedIn = try await owner.signIn(password: PasswordPerson.password, returningTo: path)
        #expect(signedIn.headers[.location] == path)
        try await verify(owner)
    }

    @Test("The link for an address is sent again")
    func resend() async throws {
        try await browser.createAccount(Self.fields)
        // Only the link of the latest email is valid.
        server.apple.time.advance(bySeconds: 1)
        let sent = try await browser.post("/account/email/verification")
        #expect(sent.headers[.location] == "/?notice=link-sent")
        #expect(try await server.mailOrders().count { $0.kind == .verification } == 2)
        try await verify(browser)
        let refused = try await browser.post("/account/email/verification")
        #expect(refused.code == "email_invalid")
    }

    @Test("The user's own address is changed on the account page, after a recent sign-in")
    func change() async throws {
        try await browser.createAccount(Self.fields)
        try await verify(browser)
        let refused = try await browser.post("/account/email", [("email", "nonsense")])
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("id=\"email-error\""))
        #expect(refused.text.contains("value=\"nonsense\""))
        let new = [("email", "new@example.com")]
        let sent = try await browser.post("/account/email", new)
        #expect(sent.headers[.location] == "/?notice=link-sent")
        let waits = "We sent a link to new@example.com"
        #expect(try await browser.get("/").text.contains(waits))
        let cancelled = try await browser.post("/account/email/cancel")
        #expect(cancelled.headers[.location] == "/?notice=email-change-cancelled")
        #expect(!(try await browser.get("/").text.contains(waits)))
        server.apple.time.advance(bySeconds: 1)
        _ = try await browser.post("/account/email", new)
        try await verify(browser, "new@example.com")
        #expect(try await browser.get("/").text.contains("new@example.com"))
        server.apple.time.advance(bySeconds: 601)
        let old = try await browser.post("/account/email", new)
        let confirmation = "/confirm?return_to=/%3Fchange%3Demail%23email"
        #expect(old.headers[.location] == confirmation)
        #expect(try await browser.get("/").text.contains("href=\"\(confirmation)\""))
    }

    @Test("A forgotten password is reset with the emailed link, once")
    func reset() async throws {
        try await browser.createAccount(Self.fields)
        try await verify(browser)
        let stranger = TestBrowser(server)
        #expect(try await stranger.get("/sign-in").text.contains("href=\"/forgot-password\""))
        let asked = try await stranger.post("/forgot-password", [("username", Self.address)])
        #expect(asked.headers[.location] == "/forgot-password?sent")
        let token = try await server.linkToken(.passwordReset)
        let page = try await stranger.get("/reset-password?token=\(token)").text
        #expect(page.contains("autocomplete=\"new-password\""))
        let short = [("token", token), ("new_password", "short")]
        let refused = try await stranger.post("/reset-password", short)
        #expect(refused.code == "password_too_short")
        #expect(refused.text.contains("name=\"token\" value=\"\(token)\""))
        let fields = [("token", token), ("new_password", "nine green limes")]
        let changed = try await stranger.post("/reset-password", fields)
        expectSignInPage(changed)
        let again = try await stranger.post("/reset-password", fields)
        #expect(again.code == "link_invalid")
        let opened = try await stranger.get("/reset-password?token=\(token)")
        #expect(opened.code == "link_invalid" && !opened.text.contains("new_password"))
        #expect(again.text.contains("href=\"/forgot-password\""))
        let ended = "/sign-in?notice=session-ended"
        #expect(try await browser.get("/").headers[.location] == ended)
        #expect(try await stranger.signIn(password: "nine green limes").status == .seeOther)
    }

    @Test("After a reset, the page names the linked Apple Account")
    func remainingWayIn() async throws {
        try await browser.createAccount(Self.fields)
        try await verify(browser)
        let callback = try await browser.callback(goal: "?return_to=/&purpose=link")
        #expect(try await browser.post(callback).status == .seeOther)
        _ = try await browser.post("/forgot-password", [("username", "maya")])
        let token = try await server.linkToken(.passwordReset)
        let fields = [("token", token), ("new_password", "nine green limes")]
        let changed = try await browser.post("/reset-password", fields)
        expectSignInPage(changed)
        #expect(changed.text.contains("with an Apple Account that was linked on"))
        #expect(try await browser.get("/").headers[.location] == "/sign-in")
    }

    @Test("Guesses of strangers do not lock out the browser that has reset the password")
    func guessesAfterReset() async throws {
        try await browser.createAccount(Self.fields)
        try await verify(browser)
        let stranger = TestBrowser(server)
        let owner = TestBrowser(server)
        _ = try await owner.post("/forgot-password", [("username", "maya")])
        let token = try await server.linkToken(.passwordReset)
        let fields = [("token", token), ("new_password", "nine green limes")]
        _ = try await owner.post("/reset-password", fields)
        for _ in 0..<8 { _ = try await stranger.signIn(password: "wrong password") }
        let locked = try await stranger.signIn(password: "nine green limes")
        #expect(locked.status == .tooManyRequests)
        #expect(try await owner.signIn(password: "nine green limes").status == .seeOther)
    }

    @Test("An email is in the language of the browser that requested it")
    func language() async throws {
        try await browser.createAccount(Self.fields)
        try await verify(browser)
        let headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .acceptLanguage: "de-AT",
            .origin: TestServer.publicURL,
        ]
        let asked = try await server.send(.post, "/forgot-password", headers, body: "username=maya")
        #expect(asked.status == .seeOther)
        let order = try await server.mailOrders().first { $0.kind == .passwordReset }
        #expect(order?.language == "de")
    }

    @Test("The response to a request for a link is the same with and without an account")
    func noOracle() async throws {
        try await browser.createAccount(Self.fields)
        try await verify(browser)
        let stranger = TestBrowser(server)
        var answers: [TestResponse] = []
        for name in ["maya", "nobody", "nobody@example.com", Self.address, "\u{0}"] {
            answers.append(try await stranger.post("/forgot-password", [("username", name)]))
        }
        #expect(Set(answers.map(\.status)) == [.seeOther])
        #expect(Set(answers.map { $0.headers[.location] }) == ["/forgot-password?sent"])
    }

    @Test("A link without a token, or with one too long, leads to another link")
    func brokenLinks() async throws {
        try await browser.createAccount()
        let long = String(repeating: "a", count: 129)
        for path in ["/reset-password", "/verify-email"] {
            for query in ["", "?token=", "?token=\(long)"] {
                expectRefusal(try await browser.get(path + query), .gone, "link_invalid")
            }
            let posted = [("token", long), ("new_password", "nine green limes")]
            #expect(try await browser.post(path, posted).code == "link_invalid")
        }
    }
}

/// Expects the page after a reset: it names the account, and has its fields once.
private func expectSignInPage(
    _ answer: TestResponse,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let lengths = answer.headers[values: .contentLength]
    #expect(answer.status == .ok, sourceLocation: sourceLocation)
    #expect(lengths == ["\(answer.text.utf8.count)"], sourceLocation: sourceLocation)
    for text in ["Your password has been changed.", "value=\"maya\""] {
        #expect(answer.text.contains(text), sourceLocation: sourceLocation)
    }
    let ended = answer.headers[values: .setCookie].contains { $0.contains("Max-Age=0") }
    #expect(ended, sourceLocation: sourceLocation)
}
