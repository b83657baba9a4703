import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Linking an Apple Account on the account page", TestServer.lending)
struct AppleLinkPageTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    private static let link = "/sign-in/apple?return_to=/%3Fnotice%3Dapple-linked&amp;purpose=link"
    private static let goal = "?return_to=/%3Fnotice%3Dapple-linked&purpose=link"

    @Test("A linked Apple Account signs in to the same account; an unlinked one does not")
    func wholeLife() async throws {
        try await browser.createAccount()
        #expect(try await browser.get("/").text.contains("href=\"/account/apple\""))
        #expect(try await browser.get("/account/apple").text.contains("href=\"\(Self.link)\""))
        let callback = try await browser.callback(goal: Self.goal)
        let linked = try await browser.post(callback)
        #expect(linked.headers[.location] == "/?notice=apple-linked", "\(linked.text)")
        let other = TestBrowser(server)
        try await other.signIn()
        #expect(try await other.get("/").text.contains("You sign in as maya."))
        #expect(try await browser.get("/").text.contains("Linked since"))
        let question = try await browser.get("/account/apple").text
        #expect(question.contains("action=\"/account/apple/unlink\""))
        let unlinked = try await browser.post("/account/apple/unlink")
        #expect(unlinked.headers[.location] == "/?notice=apple-unlinked")
        #expect(try await browser.get("/").text.contains("Not linked"))
    }

    @Test("Apple cannot be unlinked when it is the only sign-in method, and the page says why")
    func onlyWay() async throws {
        try await browser.signIn()
        let page = try await browser.get("/").text
        #expect(page.contains("It is your only sign-in method."))
        #expect(!page.contains("/account/apple"))
        #expect(try await browser.get("/account/apple").headers[.location] == "/")
        let refused = try await browser.post("/account/apple/unlink")
        expectRefusal(refused, .conflict, "last_way_in")
    }

    @Test("A user who signs in with Apple adds a password, and may then unlink")
    func addPassword() async throws {
        try await browser.signIn()
        #expect(try await browser.get("/?change=password").text.contains("name=\"username\""))
        let added = try await browser.post("/account/password", PasswordPerson.firstPassword)
        #expect(added.headers[.location] == "/?notice=password-changed")
        #expect(try await browser.get("/").text.contains("href=\"/account/apple\""))
        #expect(try await browser.post("/account/apple/unlink").status == .seeOther)
    }

    @Test("After a while, each change of the sign-in methods requires a recent sign-in")
    func fresh() async throws {
        try await browser.signIn()
        server.apple.time.advance(bySeconds: 601)
        let confirmation = "/confirm?return_to=/%3Fchange%3Dpassword%23password"
        #expect(try await browser.get("/").text.contains("href=\"\(confirmation)\""))
        let added = try await browser.post("/account/password", PasswordPerson.firstPassword)
        #expect(added.headers[.location] == confirmation)
        let unlinked = try await browser.post("/account/apple/unlink")
        #expect(unlinked.headers[.location] == "/confirm?return_to=/account/apple")
        let page = try await browser.get(confirmation).text
        #expect(
            page.contains(
                "href=\"/sign-in/apple?return_to=/%3Fchange%3Dpassword%23password"
                    + "&amp;purpose=confirm\""
            )
        )
        #expect(!page.contains("/sign-in/password"))
    }

    @Test("A user with a password confirms with it; a wrong one shows an error on the same page")
    func confirmByPassword() async throws {
        try await browser.createAccount()
        server.apple.time.advance(bySeconds: 601)
        let deletion = try await browser.get("/account/delete").text
        #expect(!deletion.contains("Delete my account"))
        #expect(deletion.contains("action=\"/sign-in/password\""))
        let page = try await browser.get("/confirm?return_to=/account/delete").text
        #expect(page.contains("value=\"maya\""))
        #expect(!page.contains("Sign in with Apple"))
        let path = "/account/delete"
        let wrong = try await browser.signIn(password: "wrong password", returningTo: path)
        #expect(wrong.status == .unauthorized)
        #expect(wrong.text.contains("Please sign in again"))
        #expect(wrong.text.contains("name=\"return_to\" value=\"/account/delete\""))
        let right = try await browser.signIn(password: PasswordPerson.password, returningTo: path)
        #expect(right.headers[.location] == path)
        #expect(try await browser.get(path).text.contains("Delete my account"))
        #expect(try await browser.post(path).headers[.location] == "/sign-in?notice=deleted")
        let gone = try await browser.signIn(password: PasswordPerson.password)
        #expect(gone.code == "credentials_invalid")
    }

    @Test("The page to sign in again is only for signed-in users")
    func confirmNeedsSession() async throws {
        let page = try await TestBrowser(server).get("/confirm?return_to=/account/delete")
        #expect(page.headers[.location] == "/sign-in")
    }
}
