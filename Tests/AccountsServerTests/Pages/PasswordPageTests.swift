import AccountsServer
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Signing in with a password, on the pages", TestServer.lending) struct PasswordPageTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    private static let password = PasswordPerson.password

    @Test("A user creates an account, and is signed in")
    func create() async throws {
        let page = try await browser.get("/create-account").text
        for value in ["username", "new-password", "name"] {
            #expect(page.contains("autocomplete=\"\(value)\""))
        }
        let answer = try await browser.post("/create-account", PasswordPerson.fields)
        #expect(answer.status == .seeOther)
        #expect(answer.headers[.location] == "/")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax"))
        let account = try await browser.get("/").text
        #expect(account.contains("Hello, Maya"))
        #expect(account.contains("You sign in as maya."))
        #expect(try await browser.get("/create-account").headers[.location] == "/")
        #expect(try await browser.get("/sign-in").headers[.location] == "/")
    }

    @Test(
        "The sign-in page has all three sign-in methods, each field with what a password manager needs"
    )
    func threeWays() async throws {
        try await withPasswordServer { server in
            let page = try await TestBrowser(server).get("/sign-in").text
            let apple = try #require(page.range(of: "href=\"/sign-in/apple\""))
            let signIn = try #require(page.range(of: "action=\"/sign-in/password\""))
            let creation = try #require(page.range(of: "action=\"/create-account\""))
            #expect(apple.lowerBound < signIn.lowerBound)
            #expect(signIn.lowerBound < creation.lowerBound)
            #expect(page.contains("<details class=\"new-account\">"))
            let forms = [
                page[signIn.lowerBound..<creation.lowerBound], page[creation.lowerBound...],
            ]
            let purposes = forms.map { form in
                form.matches(of: /name="(\w+)" type="\w+" autocomplete="([a-z-]+)"/)
                    .map { "\($0.1): \($0.2)" }
            }
            #expect(purposes[0] == ["username: username", "password: current-password"])
            #expect(
                purposes[1] == [
                    "name: name", "username: username", "email: email", "password: new-password",
                ]
            )
        }
    }

    @Test(
        "A refused account form on the sign-in page is shown there again, open, without the password"
    )
    func refusedOnSignInPage() async throws {
        let typed = [
            ("page", "sign-in"), ("return_to", "/account/delete"), ("username", "maya"),
            ("name", "Maya \"L\""),
        ]
        let refused = try await browser.post("/create-account", typed + [("password", "5hort")])
        #expect(refused.code == "password_too_short")
        #expect(refused.text.contains("<details class=\"new-account\" open>"))
        #expect(refused.text.contains("action=\"/sign-in/password\""))
        #expect(refused.text.contains("id=\"new-name-field\""))
        #expect(refused.text.contains("value=\"Maya &quot;L&quot;\""))
        #expect(refused.text.components(separatedBy: "value=\"maya\"").count == 2)
        #expect(!refused.text.contains("5hort"))
        #expect(refused.text.components(separatedBy: "aria-invalid=\"true\"").count == 2)
        #expect(refused.text.contains("id=\"new-password-error\" role=\"alert\""))
        let made = try await browser.post("/create-account", typed + [("password", Self.password)])
        #expect(made.headers[.location] == "/account/delete")
    }

    @Test(
        "A refused account form is shown again with what was typed, without the password",
        arguments: [
            ("maya", "5hort", "password_too_short", "password"),
            ("maya", "password123", "password_too_common", "password"),
            ("m", "seven ripe oranges", "username_invalid", "username"),
            ("noah", "seven ripe oranges", "username_taken", "username"),
        ]
    )
    func refusedCreation(
        username: String,
        password: String,
        code: String,
        field: String
    ) async throws {
        try await TestBrowser(server)
            .createAccount([("username", "noah"), ("password", Self.password)])
        let typed = [("username", username), ("password", password), ("name", "Maya \"L\"")]
        let refused = try await browser.post("/create-account", typed)
        #expect(refused.status.kind == .clientError)
        #expect(refused.code == code)
        #expect(refused.text.contains("<title>Error: "))
        #expect(refused.text.contains("value=\"\(username)\""))
        #expect(refused.text.contains("value=\"Maya &quot;L&quot;\""))
        #expect(!refused.text.contains(password))
        let invalid = try #require(
            refused.text.firstMatch(of: /<input id="(\w+)-field"[^>]*aria-invalid="true"[^>]*>/)
        )
        #expect(String(invalid.1) == field)
        #expect(invalid.0.contains("\(field)-error"))
        #expect(refused.text.contains("id=\"\(field)-error\" role=\"alert\""))
        #expect(browser.cookieNames.isEmpty)
    }

    @Test("Guesses of strangers do not lock out a browser that was signed in before")
    func knownDevice() async throws {
        try await withPasswordServer { server in
            let browser = TestBrowser(server)
            try await browser.createAccount()
            _ = try await browser.post("/sign-out")
            for password in [Self.password, "nine ripe oranges"] {
                let stranger = TestBrowser(server)
                for _ in 0..<8 { _ = try await stranger.signIn(password: "wrong password") }
                let locked = try await stranger.signIn(password: password)
                #expect(locked.status == .tooManyRequests && stranger.cookieNames.isEmpty)
                #expect(try await browser.signIn(password: password).status == .seeOther)
                guard password == Self.password else { return }
                let change = [
                    ("current_password", password), ("new_password", "nine ripe oranges"),
                ]
                _ = try await browser.post("/account/password", change)
                _ = try await browser.post("/sign-out")
            }
        }
    }

    @Test("A wrong password is reported at its field, and the right one still signs in")
    func wrongPassword() async throws {
        try await browser.createAccount()
        _ = try await browser.post("/sign-out")
        for wrong in ["wrong password 1", "wrong password 2", "wrong password 3"] {
            let refused = try await browser.signIn(password: wrong)
            expectRefusal(refused, .unauthorized, "credentials_invalid")
            #expect(refused.headers[.wwwAuthenticate] == "Bearer realm=\"accounts\"")
            #expect(refused.text.contains("value=\"maya\""))
            #expect(!refused.text.contains(wrong))
            #expect(browser.cookieNames == ["__Host-siwa-device"])
        }
        #expect(try await browser.signIn(password: Self.password).headers[.location] == "/")
        #expect(try await browser.get("/").text.contains("Hello, Maya"))
    }

    @Test("The page does not reveal whether a username exists")
    func unknownName() async throws {
        try await browser.createAccount()
        _ = try await browser.post("/sign-out")
        let known = try await browser.signIn(password: "wrong password")
        let unknown = try await browser.signIn(username: "nobody", password: "wrong password")
        let text = unknown.text.replacingOccurrences(of: "nobody", with: "maya")
        #expect(known.status == unknown.status)
        #expect(known.text == text)
    }

    @Test("After many attempts the page says how long to wait")
    func throttled() async throws {
        var refused = try await browser.signIn(password: "wrong password")
        for _ in 0..<8 where refused.status == .unauthorized {
            refused = try await browser.signIn(password: "wrong password")
        }
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headers[.retryAfter] != nil)
        #expect(refused.text.contains("class=\"form-error\" role=\"alert\""))
        #expect(refused.text.contains("Too many attempts. Please try again in one second."))
    }

    @Test("The form leads only to pages of this server")
    func returnPath() async throws {
        try await browser.createAccount()
        let paths = [
            ("/account/delete", "/account/delete"), ("//evil.example", "/"),
            ("https://evil.example", "/"), ("/\\evil.example", "/"), ("", "/"),
        ]
        for (path, expected) in paths {
            let answer = try await browser.signIn(password: Self.password, returningTo: path)
            #expect(answer.headers[.location] == expected)
        }
        _ = try await browser.post("/sign-out")
        let page = try await browser.get("/sign-in?return_to=/account/delete").text
        #expect(page.contains("name=\"return_to\" value=\"/account/delete\""))
        #expect(page.contains("href=\"/sign-in/apple?return_to=/account/delete\""))
    }

    @Test("One browser has one session, however it signs in")
    func oneSession() async throws {
        try await browser.createAccount()
        _ = try await browser.signIn(password: Self.password)
        _ = try await browser.signIn(password: Self.password)
        let text = try await browser.get("/").text
        #expect(text.components(separatedBy: "Safari on Mac").count == 2)
    }

    @Test(
        "A form with a missing or repeated field changes nothing",
        arguments: [
            ("/sign-in/password", [("username", "maya")]),
            ("/sign-in/password", [("username", "a"), ("username", "b"), ("password", "c")]),
            ("/create-account", [("username", "maya")]),
            ("/create-account", PasswordPerson.fields + [("name", "Noah")]),
            ("/reset-password", [("token", "t")]), ("/verify-email", []),
        ]
    )
    func fields(path: String, fields: [(String, String)]) async throws {
        expectRefusal(try await browser.post(path, fields), .unprocessableContent, "field_not_once")
        #expect(browser.cookieNames.isEmpty)
    }

    @Test("A password is changed on the account page, and all other sessions end")
    func change() async throws {
        let other = TestBrowser(server)
        try await browser.createAccount()
        _ = try await other.signIn(password: Self.password)
        let change = try await browser.get("/.well-known/change-password")
        #expect(change.status == .seeOther)
        #expect(change.headers[.location] == "/?change=password#password")
        let page = try await browser.get("/?change=password").text
        #expect(page.contains("action=\"/account/password\""))
        let wrong = [("current_password", "nonsense"), ("new_password", "nine green limes")]
        let refused = try await browser.post("/account/password", wrong)
        #expect(refused.status == .unauthorized)
        #expect(refused.text.contains("id=\"current_password-error\""))
        let right = [("current_password", Self.password), ("new_password", "nine green limes")]
        let changed = try await browser.post("/account/password", right)
        #expect(changed.headers[.location] == "/?notice=password-changed")
        #expect(try await browser.get("/").status == .ok)
        let ended = "/sign-in?notice=session-ended"
        #expect(try await other.get("/").headers[.location] == ended)
        #expect(try await other.signIn(password: Self.password).status == .unauthorized)
        #expect(try await other.signIn(password: "nine green limes").status == .seeOther)
    }

    @Test("The export of the user's data contains no secret")
    func export() async throws {
        #expect(try await browser.get("/account/export").headers[.location] == "/sign-in")
        try await browser.createAccount()
        let file = try await browser.get("/account/export")
        #expect(file.status == .ok)
        #expect(file.headers[.contentDisposition] == "attachment; filename=\"account.json\"")
        #expect(file.json?["account"]?.objectValue?["username"] == "maya")
        #expect(!file.text.contains("scrypt"))
    }
}
