import AccountsServer
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite(TestServer.lending) struct WebSignInTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    @Test func personSignsInAndSeesTheirAccount() async throws {
        #expect(try await browser.get("/").headers[.location] == "/sign-in")
        let page = try await browser.get("/sign-in")
        #expect(page.text.contains(">Sign in with Apple</span></a>"))
        let callback = try await browser.callback(
            name: PersonName(givenName: "Maya", familyName: "Lindgren")
        )
        let answer = try await browser.post(callback)
        #expect(answer.status == .seeOther)
        #expect(answer.headers[.location] == "/")
        #expect(browser.cookieNames == ["__Host-siwa-session"])
        let account = try await browser.get("/")
        #expect(account.status == .ok)
        #expect(account.text.contains("Hello, Maya Lindgren"))
        #expect(account.text.contains("maya@example.com"))
        #expect(account.text.contains("Linked since"))
        #expect(account.text.contains("Safari on Mac"))
    }

    @Test func hiddenAddressIsToldAsPrivateRelay() async throws {
        try await browser.signIn(hidesEmail: true)
        let text = try await browser.get("/").text
        #expect(text.contains("@privaterelay.appleid.com"))
        #expect(text.contains("Private relay"))
        #expect(!text.contains("maya@example.com"))
    }

    @Test func pendingCookieTravelsAndSessionCookieStays() async throws {
        let begun = try await browser.get("/sign-in/apple")
        let pending = try #require(begun.headers[.setCookie])
        #expect(pending.hasPrefix("__Host-siwa-pending-"))
        #expect(pending.hasSuffix("; Max-Age=86400; Path=/; Secure; HttpOnly; SameSite=None"))
        let answer = try await browser.post(try await browser.callback())
        let session = answer.headers[values: .setCookie]
            .first { $0.hasPrefix("__Host-siwa-session=") }
        #expect(session?.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax") == true)
    }

    /// Safari accepts no Secure cookie over HTTP, and a Lax one is not sent with Apple's post.
    @Test func atHTTPTheCookiesArePlainAndTheOwnPagePostsTheCallback() async throws {
        let local = try AccountsServerOrigins.local()
        try await withAccountsServer({ $0.origins = [local] }, host: "localhost") { server in
            await server.apple.emulator.takeAddresses(
                of: Seed.demo(redirectURIs: [local.redirectURI])
            )
            let browser = TestBrowser(server)
            let begun = try await browser.get("/sign-in/apple")
            let pending = try #require(begun.headers[.setCookie])
            #expect(pending.hasPrefix("siwa-pending-"))
            #expect(pending.hasSuffix("; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax"))
            let callback = try await browser.callback(name: PersonName(givenName: "M <&> \"A\""))
            let body = String(decoding: callback.formBody, as: UTF8.self)
            let page = try await browser.postFromApple(body)
            #expect(page.status == .ok)
            #expect(page.text.contains("<h1>Signing you in</h1>"))
            #expect(page.contentSecurityPolicy.contains("; script-src 'sha256-"))
            #expect(page.headers[.cacheControl] == "no-store")
            let fields = RepeatForm.fields(of: page.text)
            let stranger = try await TestBrowser(server).post("/sign-in/apple/callback", fields)
            #expect(stranger.code == "state_mismatch")
            let answer = try await browser.post("/sign-in/apple/callback", fields)
            #expect(answer.headers[.location] == "/")
            #expect(browser.cookieNames.contains("siwa-session"))
            #expect(
                answer.headers[values: .setCookie].allSatisfy {
                    $0.hasSuffix("; Path=/; HttpOnly; SameSite=Lax")
                }
            )
            #expect(
                try await browser.get("/").text.contains("Hello, M &lt;&amp;&gt; &quot;A&quot;")
            )
            #expect(try await browser.post("/sign-out").status == .seeOther)
            #expect(!browser.cookieNames.contains("siwa-session"))
        }
    }

    @Test func tabsDoNotDisturbEachOther() async throws {
        let first = try await browser.callback()
        let second = try await browser.callback(as: "noah@example.com")
        #expect(try await browser.post(first).status == .seeOther)
        #expect(try await browser.get("/").text.contains("maya@example.com"))
        #expect(try await browser.post(second).status == .seeOther)
        #expect(try await browser.get("/").text.contains("noah@example.com"))
    }

    @Test func twoTabsThatFinishLeaveOneSession() async throws {
        let callbacks = [
            try await browser.callback(), try await browser.callback(),
            try await browser.callback(),
        ]
        for callback in callbacks { _ = try await browser.post(callback) }
        let text = try await browser.get("/").text
        #expect(text.components(separatedBy: "Safari on Mac").count == 2)
        #expect(text.contains("This browser"))
    }

    @Test func forgottenTabsAreFew() async throws {
        for _ in 0..<12 { _ = try await browser.get("/sign-in/apple") }
        #expect(browser.cookieNames.count == 5)
    }

    @Test(arguments: [
        ("/sign-in/apple", "__Host-siwa-pending-", 6),
        (AppClient().path, "__Host-siwa-app-", 5),
    ])
    func sixHundredCookiesMakeNoLongAnswer(
        _ path: String,
        _ prefix: String,
        _ expectedCount: Int
    ) async throws {
        let cookies = (100..<700).map { number in
            prefix + "\(number % 10)=0000000000000\(number).x"
        }
        let answer = try await server.send(.get, path, [.cookie: cookies.joined(separator: "; ")])
        #expect(answer.status == .seeOther, "\(answer.text)")
        #expect(answer.headers[values: .setCookie].count == expectedCount)
    }

    @Test func cancellingLeadsBackWithAKindWord() async throws {
        let answer = try await browser.post(try await browser.callback(isContinuing: false))
        #expect(answer.status == .seeOther)
        #expect(answer.headers[.location] == "/sign-in?notice=cancelled")
        #expect(browser.cookieNames.isEmpty)
        let page = try await browser.get("/sign-in?notice=cancelled")
        #expect(page.text.contains("Nothing was shared"))
    }

    @Test func noticeFromAnywhereElseIsNotShown() async throws {
        let page = try await TestBrowser(server).get("/sign-in?notice=%3Cb%3Ehello")
        #expect(!page.text.contains("hello"))
    }

    @Test func signingInAgainEndsTheBrowsersOldSession() async throws {
        try await browser.signIn()
        try await browser.signIn()
        let text = try await browser.get("/").text
        #expect(text.components(separatedBy: "Safari on Mac").count == 2)
        #expect(text.contains("This browser"))
    }

    @Test(arguments: [true, false])
    func eachNameOfTheServerUsesItsOwnAddresses(isOnly: Bool) async throws {
        let local = try AccountsServerOrigins.local()
        try await withAccountsServer(
            { $0.origins = isOnly ? [local] : $0.origins + [local] },
            host: "localhost"
        ) { server in
            let begun = try await server.send(.get, "/sign-in/apple")
            let location = try #require(begun.headers[.location])
            #expect(location.hasPrefix("http://localhost:8081/auth/authorize?"))
            #expect(
                location.contains(
                    "redirect_uri=http%3A%2F%2Flocalhost%2Fsign-in%2Fapple%2Fcallback"
                )
            )
            #expect(begun.headers[.strictTransportSecurity] == nil)
        }
    }

    @Test func withoutAServicesIDThereIsNoButton() async throws {
        try await withAccountsServer({ $0.servicesIDs = [] }) { server in
            let browser = TestBrowser(server)
            #expect(try await !browser.get("/sign-in").text.contains("Sign in with Apple"))
            let refused = try await browser.get("/sign-in/apple")
            expectRefusal(refused, .notFound, "web_sign_in_unavailable")
        }
    }
}
