import Accounts
import AccountsServer
import AppleEmulatorTesting
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The email address when Apple is linked or unlinked", TestServer.lendingWithMail)
struct AppleLinkEmailTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lendingWithMail.lent }

    private static let address = "own@example.net"

    /// Creates an account with a password and an address that is not confirmed yet.
    private func createAccount() async throws {
        try await browser.createAccount(PasswordPerson.fields + [("email", Self.address)])
    }

    private func link() async throws {
        let goal = "?return_to=/&purpose=link"
        let callback = try await browser.callback(hidesEmail: true, goal: goal)
        try #require(try await browser.post(callback).status == .seeOther)
    }

    private func confirm(_ address: String = Self.address) async throws {
        let token = try await server.linkToken(.verification, to: address)
        let confirmed = try await browser.post("/verify-email", [("token", token)])
        try #require(confirmed.status == .seeOther, "\(confirmed.text)")
    }

    /// The page before an Apple Account is linked or unlinked.
    private func question() async throws -> String {
        try await browser.get("/account/apple").text
    }

    private func unlink() async throws {
        try #require(try await browser.post("/account/apple/unlink").status == .seeOther)
    }

    @Test("A confirmed address stays, and both pages say so first")
    func confirmed() async throws {
        try await createAccount()
        try await confirm()
        let stays = "Your email address stays \(Self.address)."
        #expect(try await question().contains(stays))
        try await link()
        #expect(try await browser.get("/").text.contains(Self.address))
        #expect(try await question().contains(stays))
        try await unlink()
        let page = try await browser.get("/").text
        #expect(page.contains(Self.address) && !page.contains("Not confirmed"))
    }

    @Test("An unconfirmed address is replaced, as the page says, and is the address again later")
    func unconfirmed() async throws {
        try await createAccount()
        let before = try await question()
        #expect(before.contains("\(Self.address) is not confirmed, so the one that you share"))
        try await link()
        #expect(try await browser.get("/").text.contains("@privaterelay.appleid.com"))
        let question = try await question()
        #expect(question.contains("Your email address is then \(Self.address)"))
        #expect(!question.contains("no email address"))
        try await unlink()
        let page = try await browser.get("/").text
        #expect(page.contains(Self.address) && page.contains("Not confirmed"))
        #expect(!page.contains("@privaterelay.appleid.com"))
        try await confirm()
        #expect(!(try await browser.get("/").text.contains("Not confirmed")))
    }

    @Test("An unconfirmed address that another session gave goes, as the page says")
    func otherSession() async throws {
        try await createAccount()
        try await link()
        _ = try await browser.post("/sign-out")
        _ = try await browser.signIn(password: PasswordPerson.password)
        let question = try await question()
        #expect(question.contains("Your account then has no email address."))
        try await unlink()
        let page = try await browser.get("/").text
        #expect(page.contains("<h3>Email</h3>\n<p>None</p>") && !page.contains(Self.address))
    }

    @Test("Without an address, the page says that Apple's becomes the account's")
    func missing() async throws {
        try await browser.createAccount()
        let question = try await question()
        #expect(question.contains("becomes the one of your account"))
    }

    @Test("Before a relay address goes, the page offers to give another one, which then stays")
    func relay() async throws {
        try await browser.signIn(hidesEmail: true)
        _ = try await browser.post("/account/password", PasswordPerson.firstPassword)
        let question = try await question()
        #expect(question.contains("Your account then has no email address."))
        #expect(question.contains("href=\"/?change=email#email\""))
        let form = try await browser.get("/?change=email").text
        #expect(form.contains("action=\"/account/email\"") && !form.contains("value=\"maya@"))
        _ = try await browser.post("/account/email", [("email", Self.address)])
        try await confirm()
        try await unlink()
        let page = try await browser.get("/").text
        #expect(page.contains(Self.address) && !page.contains("Not confirmed"))
    }

    @Test("An address that Apple shared stays, to be confirmed with a mail, as the page says first")
    func shared() async throws {
        try await browser.signIn()
        _ = try await browser.post("/account/password", PasswordPerson.firstPassword)
        let question = try await question()
        #expect(question.contains("is then maya@example.com, which you need to confirm"))
        #expect(question.contains("you get a new account"))
        try await unlink()
        #expect(try await browser.get("/").text.contains("Not confirmed"))
        try await confirm("maya@example.com")
        let page = try await browser.get("/").text
        #expect(!page.contains("Not confirmed") && !page.contains("unlinks your Apple Account"))
    }
}
