import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("An app that signs in through the browser", TestServer.lendingWithMail)
struct AppSignInTests {
    private let server: TestServer
    init() throws { server = try TestServer.lendingWithMail.lent.0 }

    @Test("gets a session after its user has signed in with Apple and confirmed")
    func withApple() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        let path = try await browser.begin(app)
        let page = try await browser.get(path)
        #expect(page.text.contains("com.example.juice wants you to sign in"))
        let goal = "?return_to=" + path.replacing("?", with: "%3F").replacing("=", with: "%3D")
        #expect(page.text.contains("href=\"/sign-in/apple\(goal)\""))
        let callback = try await browser.callback(name: PersonName(givenName: "Maya"), goal: goal)
        #expect(try await browser.post(callback).headers[.location] == path)
        #expect(try await browser.get(path).text.contains("Continue as Maya"))

        let answer = try app.answer(try await browser.press("continue", on: path))
        #expect(Set(answer.keys) == ["code", "state", "iss"])
        #expect(answer["state"] == app.state)
        #expect(answer["iss"] == AppClient.issuer)
        let session = try await app.redeem(answer["code"] ?? "", at: server)
        #expect(session.status == .created)
        #expect(session.json.map { Set($0.names) } == ["token", "expiresAt", "account"])
        let token = try #require(session.json?["token"]?.stringValue)
        let account = try await server.account(token)
        #expect(account["name"]?.stringValue == "Maya")
        #expect(account["email"]?.stringValue == "maya@example.com")
        #expect(browser.cookieNames == ["__Host-siwa-session"])
        #expect(try await app.redeem(answer["code"] ?? "", at: server).code == "app_code_invalid")
    }

    @Test("gets a session after its user has signed in with a password, mistyped once")
    func withPassword() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        _ = try await server.tokenOfNewAccount()
        let path = try await browser.begin(app)
        #expect(try await browser.get(path).hidden("return_to") == path)
        let refused = try await browser.signIn(password: "wrong one", returningTo: path)
        #expect(refused.code == "credentials_invalid")
        #expect(refused.hidden("return_to") == path)
        #expect(refused.text.contains("com.example.juice wants you to sign in"))
        let signedIn = try await browser.signIn(password: TestServer.password, returningTo: path)
        #expect(signedIn.headers[.location] == path)
        let answer = try app.answer(try await browser.press("continue", on: path))
        #expect(try await app.redeem(answer["code"] ?? "", at: server).status == .created)
    }

    @Test("gets a session of an account that its user has just created")
    func withNewAccount() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        let path = try await browser.begin(app)
        try await browser.createAccount(PasswordPerson.fields + [("return_to", path)])
        let answer = try app.answer(try await browser.press("continue", on: path))
        #expect(try await app.redeem(answer["code"] ?? "", at: server).status == .created)
    }

    @Test("asks a signed-in user to confirm with a form")
    func signedInAlready() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        try await browser.createAccount()
        let path = try await browser.begin(app)
        let page = try await browser.get(path)
        #expect(page.status == .ok && page.text.contains("Continue as Maya"))
        #expect(page.contentSecurityPolicy.contains("form-action 'self';"))
        let fields = ["request", "session"].map { ($0, page.hidden($0) ?? "") }
        for site in ["cross-site", "same-site", "none"] {
            let forged = try await browser.post(
                "/sign-in/app/confirm",
                fields + [("action", "continue")],
                site: site
            )
            #expect(forged.code == "cross_site_request")
        }
        // Another user has signed in since the page was shown.
        let stale = try await browser.post(
            "/sign-in/app/confirm",
            [fields[0], ("session", "another"), ("action", "continue")]
        )
        #expect(stale.headers[.location] == path)
        let continued = try await browser.press("continue", on: path)
        _ = try app.answer(continued)
        // Chromium would apply form-action to the redirects of the app, too.
        #expect(continued.status == .ok && continued.headers[.location] == nil)
        #expect(continued.text.contains("href=\"http://127.0.0.1:51004/"))
        #expect(try await browser.get(path).code == "app_request_unknown")
    }

    @Test("lets its user take another account, whose session replaces the first")
    func anotherAccount() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        _ = try await server.tokenOfNewAccount("noah")
        try await browser.createAccount()
        let path = try await browser.begin(app)
        #expect(try await browser.press("another", on: path).headers[.location] == path)
        let page = try await browser.get(path)
        #expect(page.hidden("session") == nil && page.hidden("return_to") == path)
        let refused = try await browser.signIn(
            username: "noah",
            password: "wrong one",
            returningTo: path
        )
        #expect(refused.code == "credentials_invalid")
        #expect(refused.text.contains("value=\"noah\""))
        _ = try await browser.signIn(
            username: "noah",
            password: TestServer.password,
            returningTo: path
        )
        let answer = try app.answer(try await browser.press("continue", on: path))
        let session = try await app.redeem(answer["code"] ?? "", at: server)
        let account = session.json?["account"]?.objectValue
        #expect(account?["username"]?.stringValue == "noah")
    }

    @Test("requires another sign-in with prompt=login")
    func prompted() async throws {
        let browser = TestBrowser(server)
        var app = AppClient()
        app.others = [("prompt", "login"), ("response_type", "code"), ("scope", "openid")]
        try await browser.createAccount()
        let path = try await browser.begin(app)
        let page = try await browser.get(path)
        #expect(page.hidden("session") == nil && page.hidden("return_to") == path)
        let skipped = try await browser.press("continue", on: path)
        #expect(skipped.headers[.location] == path)
        _ = try await browser.signIn(password: PasswordPerson.password, returningTo: path)
        _ = try app.answer(try await browser.press("continue", on: path))
    }

    @Test("gets an error when its user cancels, on our page or after Apple's")
    func cancelled() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        let path = try await browser.begin(app)
        let goal = "?return_to=" + path.replacing("?", with: "%3F").replacing("=", with: "%3D")
        let callback = try await browser.callback(isContinuing: false, goal: goal)
        #expect(try await browser.post(callback).headers[.location] == path)
        let answer = try app.answer(try await browser.press("cancel", on: path))
        #expect(
            answer == ["error": "access_denied", "state": app.state ?? "", "iss": AppClient.issuer]
        )
        #expect(browser.cookieNames.isEmpty)
    }

    @Test("gets an error when Apple refuses the server")
    func appleRefusesTheServer() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        let path = try await browser.begin(app)
        let goal = "?return_to=" + path.replacing("?", with: "%3F").replacing("=", with: "%3D")
        let callback = try await browser.callback(goal: goal)
        try await server.apple.fail(.token, status: 400, body: #"{"error": "invalid_client"}"#)
        let failed = try await browser.post(callback)
        let page = try await browser.get(try #require(failed.headers[.location]))
        #expect(page.status == .ok)
        // The form-action of Apple's page would apply to a redirect.
        let name = try #require(HTTPField.Name("Refresh"))
        let refresh = try #require(page.headers[name])
        let address = try #require(refresh.split(separator: "url=").last.map(String.init))
        let items = URLComponents(string: address)?.queryItems ?? []
        #expect(address.hasPrefix("\(app.redirectURI ?? "")?"))
        #expect(
            Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value) }) == [
                "error": "server_error", "state": app.state, "iss": AppClient.issuer,
            ]
        )
        #expect(page.text.contains("Back to the app"))
        // Without a waiting app, the error is shown on the page.
        let other = try await browser.callback()
        try await server.apple.fail(.token, status: 400, body: #"{"error": "invalid_client"}"#)
        #expect(try await browser.post(other).code == "apple_refused_client")
    }

    @Test("does not disturb another app in another tab, and abandoned tabs are limited")
    func tabs() async throws {
        let browser = TestBrowser(server)
        try await browser.createAccount()
        let apps = (0..<2).map { _ in AppClient() }
        var paths: [String] = []
        for app in apps { paths.append(try await browser.begin(app)) }
        for (app, path) in zip(apps, paths).reversed() {
            let answer = try app.answer(try await browser.press("continue", on: path))
            #expect(try await app.redeem(answer["code"] ?? "", at: server).status == .created)
        }
        for _ in 0..<9 { _ = try await browser.begin(AppClient()) }
        #expect(browser.cookieNames.count { $0.hasPrefix("__Host-siwa-app-") } <= 4)
    }

    @Test("may use a scheme of its own, with a link when no redirect opens it")
    func privateScheme() async throws {
        let redirectURI = "com.example.juice:/signed-in"
        try await withAppServer("desk=\(redirectURI)") { server in
            let browser = TestBrowser(server)
            var app = AppClient()
            app.clientID = "desk"
            app.redirectURI = redirectURI
            try await browser.createAccount()
            let path = try await browser.begin(app)
            let page = try await browser.get(path)
            #expect(
                page.contentSecurityPolicy.contains("form-action 'self' com.example.juice:;")
            )
            for _ in 0..<2 {
                let response = try await browser.press("continue", on: path)
                let answer = try app.answer(response)
                let link = response.headers[.location]?.replacing("&", with: "&amp;") ?? ""
                #expect(response.text.contains("href=\"\(link)\""))
                let session = try await app.redeem(answer["code"] ?? "", at: server)
                #expect(session.status == .created)
            }
        }
    }
}
