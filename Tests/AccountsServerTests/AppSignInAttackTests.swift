import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Accounts

@Suite("A browser sign-in of an app under attack", TestServer.lendingWithMail)
struct AppSignInAttackTests {
    private let server: TestServer
    init() throws { server = try TestServer.lendingWithMail.lent.0 }

    @Test("requires another sign-in when the user signs out while the page is shown")
    func signedOut() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        try await browser.createAccount()
        let path = try await browser.begin(app)
        let page = try await browser.get(path)
        let fields = ["request", "session"].map { ($0, page.hidden($0) ?? "") }
        _ = try await browser.post("/sign-out")
        let late = try await browser.post("/sign-in/app/confirm", fields + [("action", "continue")])
        #expect(late.headers[.location] == path)
        #expect(try await browser.get(path).hidden("session") == nil)
    }

    @Test("refuses a form without the session that the page showed, and an unknown action")
    func forms() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        try await browser.createAccount()
        let path = try await browser.begin(app)
        let page = try await browser.get(path)
        let request = ("request", page.hidden("request") ?? "")
        let session = ("session", page.hidden("session") ?? "")
        let incomplete = [
            [request, ("action", "continue")], [request, session, ("action", "Continue")],
        ]
        for fields in incomplete {
            let response = try await browser.post("/sign-in/app/confirm", fields)
            #expect(response.headers[.location] == path)
        }
        for fields in [[request, session], [session, ("action", "continue")]] {
            let response = try await browser.post("/sign-in/app/confirm", fields)
            #expect(response.status.kind == .clientError)
        }
        let read = try await browser.get("\(path)&session=\(session.1)&action=continue")
        #expect(read.status == .ok && read.headers[.location] == nil)
    }

    @Test("leaves no page or response in a cache, a frame or a referrer")
    func headers() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        let begun = try await browser.get(app.path)
        let path = try #require(begun.headers[.location])
        let signIn = try await browser.get(path)
        try await browser.createAccount()
        let page = try await browser.get(path)
        for response in [begun, signIn, page, try await browser.press("continue", on: path)] {
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(response.contentSecurityPolicy.contains("frame-ancestors 'none'"))
            let policy = HTTPField.Name("Referrer-Policy").flatMap { response.headers[$0] }
            #expect(policy == "same-origin")
        }
        let code = try await server.postJSON("/api/sessions/code", ["code": "x"])
        #expect(code.headers[.cacheControl] == "no-store")
    }

    @Test("keeps the longest request in a cookie that every browser accepts")
    func cookieLength() async throws {
        let scheme = "com.example." + String(repeating: "x", count: 200)
        let address = scheme + ":" + String(repeating: "/", count: 511 - scheme.utf8.count)
        let client = String(repeating: "c", count: 255)
        try await withAppServer("\(client)=\(address)") { server in
            var app = AppClient()
            app.clientID = client
            app.redirectURI = address
            app.state = String(repeating: "\\", count: 512)
            let begun = try await TestBrowser(server).get(app.path)
            let cookie = try #require(begun.headers[.setCookie])
            // RFC 6265, section 6.1: name, value and attributes.
            #expect(cookie.utf8.count <= 4096)
            let browser = TestBrowser(server)
            for _ in 0..<6 {
                _ = try await browser.begin(app)
                #expect((1...5 * 1024).contains(browser.cookieByteCount))
            }
        }
    }

    @Test("ends when its redirect URI has been removed from the settings")
    func settings() async throws {
        let address = "com.example.desk:/signed-in"
        try await withAppServer("desk=\(address)") { server in
            var app = AppClient()
            app.clientID = "desk"
            app.redirectURI = address
            let browser = TestBrowser(server)
            let path = try await browser.begin(app)
            let page = try await browser.get(path)
            let fields = [("request", page.hidden("request") ?? ""), ("action", "cancel")]
            let sealed = browser.cookie { $0.hasPrefix("__Host-siwa-app-") }
            let cookie = try #require(sealed)
            try await withPasswordServer(hasMail: false) { other in
                let later = TestBrowser(other)
                later.setCookie(cookie.name, cookie.value)
                #expect(try await later.get(path).code == "app_redirect_mismatch")
                let answer = try await later.post("/sign-in/app/confirm", fields)
                #expect(answer.code == "app_redirect_mismatch")
                #expect(answer.headers[.location] == nil)
            }
        }
    }

    @Test("accepts no session that is older than a request with prompt=login")
    func olderSession() async throws {
        var app = AppClient()
        app.others = [("prompt", "login")]
        let (browser, other) = (TestBrowser(server), TestBrowser(server))
        try await other.createAccount()
        server.apple.time.advance(bySeconds: 60)
        let path = try await browser.begin(app)
        let older = try #require(other.cookie { $0 == "__Host-siwa-session" })
        browser.setCookie(older.name, older.value)
        #expect(try await browser.get(path).hidden("session") == nil)
        _ = try await other.signIn(password: PasswordPerson.password)
        let newer = try #require(other.cookie { $0 == "__Host-siwa-session" })
        browser.setCookie(newer.name, newer.value)
        #expect(try await browser.get(path).hidden("session") != nil)
    }
}
