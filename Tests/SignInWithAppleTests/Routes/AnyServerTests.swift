import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// The accounts of docs/how-to/any-server.md, behind its routes.
@Suite struct AnyServerTests {
    @Test func newSessionReplacesTheOneOfTheBrowser() async throws {
        try await withBrowser { browser, accounts in
            var browser = browser
            try await browser.signIn()
            let first = try #require(browser.token)
            try await browser.signIn()
            #expect(await accounts.name(token: first) == nil)
            #expect(await accounts.name(token: try #require(browser.token)) == "Maya Lindgren")
        }
    }

    @Test func suggestedNameDoesNotReplaceAKnownOne() async throws {
        try await withBrowser { browser, accounts in
            var browser = browser
            try await browser.signIn()
            try await browser.stopUsing()
            // The callback comes too late, so the routes suggest its name at the next sign-in.
            let refused = try await browser.signIn(name: "Stranger", after: .seconds(601))
            #expect(refused == 401 || refused == 400)
            try await browser.signIn()
            #expect(await accounts.name(token: try #require(browser.token)) == "Maya Lindgren")
        }
    }

    @Test func onlyTheEndOfThisConsentEndsTheSessions() async throws {
        try await withBrowser { browser, accounts in
            var browser = browser
            try await browser.signIn(hidesEmail: true)
            try await browser.apple.emulator
                .setForwarding(Browser.maya, clientID: Browser.appID, enabled: false)
            for body in await browser.notifications() { try await browser.notify(body) }
            #expect(await accounts.name(token: try #require(browser.token)) != nil)

            try await browser.stopUsing()
            let late = await browser.notifications()
            browser.apple.advance(by: .seconds(60))
            try await browser.signIn()
            for body in late { try await browser.notify(body) }
            #expect(await accounts.name(token: try #require(browser.token)) != nil)

            try await browser.stopUsing()
            for body in await browser.notifications() { try await browser.notify(body) }
            #expect(await accounts.name(token: try #require(browser.token)) == nil)
        }
    }

    private func withBrowser(
        _ test: @Sendable (Browser, Accounts) async throws -> Void
    ) async throws {
        let url = "https://juice.example.com"
        let seed = Seed.demo(redirectURIs: [url + "/auth/apple/callback"])
        try await withAppleEmulator(seed: seed) { apple in
            let accounts = Accounts()
            let site = try AppleSite(
                apple.signIn(),
                accounts,
                DemoAppleTokenStore(),
                sealer: TokenSealer(keys: TokenSealer.makeKey(identifier: "test")),
                url: url
            )
            try await test(Browser(site: site, apple: apple), accounts)
        }
    }
}

/// A browser that keeps its cookies.
private struct Browser: Sendable {
    static let maya = "maya@example.com"
    static let appID: ClientID = "com.example.juice"

    let site: AppleSite
    let apple: TestApple
    private var cookies: [String: String] = [:]

    init(site: AppleSite, apple: TestApple) {
        self.site = site
        self.apple = apple
    }

    /// The session's token.
    var token: String? { site.sessionToken([.cookie: cookieField]) }

    private var cookieField: String {
        cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }

    /// Signs in, and returns the status of the response to the callback.
    @discardableResult
    mutating func signIn(
        name: String? = nil,
        hidesEmail: Bool = false,
        after delay: Duration = .zero
    ) async throws -> Int {
        let begun = try await send("GET", "/auth/apple", Data())
        let page = try #require(begun.headers[.location])
        let callback = try await apple.authorize(
            try #require(URL(string: page)),
            hidesEmail: hidesEmail,
            name: name.map { PersonName(givenName: $0) }
        )
        apple.advance(by: delay)
        return try await send("POST", "/auth/apple/callback", callback.formBody).status.code
    }

    func stopUsing() async throws {
        try await apple.emulator.stopUsing(Self.maya, clientID: Self.appID)
    }

    /// What Apple posts, which the server has not received yet.
    func notifications() async -> [Data] {
        var bodies: [Data] = []
        await apple.deliverNotifications {
            bodies.append($0)
            return 200
        }
        return bodies
    }

    func notify(_ body: Data) async throws {
        let answer = try await site.answer(
            "POST",
            "/auth/apple/notifications",
            [.contentType: "application/json"],
            body
        )
        #expect(answer?.status == .ok)
    }

    private mutating func send(
        _ method: String,
        _ path: String,
        _ body: Data
    ) async throws -> SignInResponse {
        let headers: HTTPFields = [
            try #require(HTTPField.Name("Host")): "juice.example.com", .cookie: cookieField,
            .contentType: "application/x-www-form-urlencoded",
        ]
        let answer = try #require(await site.answer(method, path, headers, body))
        for value in answer.headers[values: .setCookie] {
            let pair = value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            let isOver = value.contains("Max-Age=0")
            cookies[String(pair[0])] = isOver ? nil : String(pair[1])
        }
        return answer
    }
}
