import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import TestSupport
import Testing

@testable import SignInKit

@Suite("The way back from a browser", AppWorld.lending) struct BrowserTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    @Test(
        "A way back with another state or server, without a code, or with anything twice is refused",
        arguments: [
            "?code=c&state=other", "?code=c", "", "?state=STATE", "?state=STATE&code=",
            "?state=STATE&code=a&code=b", "?state=STATE&state=STATE&code=a",
            "?state=STATE&code=a&iss=https://evil.example", "?state=STATE&code=a&iss=",
            "?state=STATE&code=a&iss=http://juice.example.com",
            "?state=STATE&code=a&iss=https://juice.example.com:8443",
            "?state=STATE&code=a&iss=https://juice.example.com.evil.example",
            "?state=STATE&code=a&iss=https://juice.example.com&iss=https://juice.example.com",
            "?state=STATE&code=a&iss", "?state=STATE&code=a&iss=juice.example.com",
            "?state=STATE&error=access_denied&iss=https://evil.example",
            "?error=access_denied", "?state=STATE&error=access_denied&error=server_error",
            "?state=STATE&error=", "?state=STATE&error=of_its_own",
        ]
    ) func refused(answer: String) async throws {
        let client = try world.launch()
        let browser = ScriptedBrowser { answer.replacing("STATE", with: $0) }
        let refusal = try await kind { try await client.signInWithBrowser(browser) }
        #expect(refusal == .invalidResponse)
        #expect(await client.state == .signedOut())
        #expect(world.transport.requests.isEmpty)
    }

    @Test(
        "An error of the page is one of a known list",
        arguments: [
            ("access_denied", SignInKitError.Kind.canceled),
            ("server_error", .serverUnavailable(retryAfter: nil)),
            ("temporarily_unavailable", .serverUnavailable(retryAfter: nil)),
            ("invalid_request", .refused(code: "invalid_request")),
            ("interaction_required", .refused(code: "interaction_required")),
        ]
    ) func errors(error: String, expected: SignInKitError.Kind) async throws {
        let client = try world.launch()
        // A code beside an error counts for nothing.
        let browser = ScriptedBrowser { "?error=\(error)&code=c&state=\($0)" }
        #expect(try await kind { try await client.signInWithBrowser(browser) } == expected)
        #expect(world.transport.requests.isEmpty)
    }

    @Test("No browser opens for a server whose address is not secure")
    func insecure() async throws {
        let client = try world.launch(server: "http://juice.example.com")
        let browser = ScriptedBrowser { "?code=c&state=\($0)" }
        let refusal = try await kind { try await client.signInWithBrowser(browser) }
        #expect(refusal == .insecureServer)
        #expect(browser.opened.withLock { $0.isEmpty })
    }

    @Test(
        "The page is asked with a challenge whose verifier only the app knows",
        arguments: ["", "&iss=https://juice.example.com", "&iss=HTTPS://Juice.example.com:443/"]
    ) func challenge(issuer: String) async throws {
        let client = try world.launch()
        world.transport.network = .answers(status: 404)
        let browser = ScriptedBrowser { "?code=one&state=\($0)\(issuer)" }
        _ = try await kind { try await client.signInWithBrowser(browser) }
        let page = try #require(browser.opened.withLock { $0.first })
        let items = try #require(
            URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems
        )
        let query = Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(page.path() == "/sign-in/app")
        #expect(query["client_id"] == "com.example.juice")
        #expect(query["redirect_uri"] == "com.example.juice:/signed-in")
        #expect(query["code_challenge_method"] == "S256")
        let request = try #require(world.transport.requests.first)
        #expect(request.url.path() == "/api/sessions/code")
        let body = JSONFields(try JSONObject(parsing: try #require(request.body)))
        #expect(try body.text("code") == "one")
        #expect(try body.text("redirectUri") == "com.example.juice:/signed-in")
        let verifier = try body.text("codeVerifier")
        let challenge = try #require(query["code_challenge"] ?? nil)
        #expect(Data(base64URL: challenge) == Data(SHA256.hash(data: Data(verifier.utf8))))
    }
}

@Suite("Signing in through a browser at the real server", AppWorld.lending)
struct BrowserSignInTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    /// A browser of this machine whose person goes through the server's pages.
    private func browser(
        of world: AppWorld,
        action: String = "continue",
        came: LockedValue<URL?> = LockedValue(nil)
    ) -> LoopbackBrowserSession {
        let person = PagePerson(transport: world.transport, action: action)
        return LoopbackBrowserSession(
            openPage: { page in
                let back = try await person.wayBack(from: page)
                came.withLock { $0 = back }
                _ = try await URLSessionTransport().send(ServerRequest(method: "GET", url: back))
            },
            time: world.time.source
        )
    }

    @Test("The person who signed in on the page is signed in to the app; the code is used up")
    func wholeWay() async throws {
        let client = try world.launch()
        let came = LockedValue<URL?>(nil)
        let person = try await client.signInWithBrowser(browser(of: world, came: came))
        #expect(person.account.username == "pia" && person.isConfirmed)
        #expect(await client.state == .signedIn(person))
        #expect(try await world.counts() == Counts(accounts: 1, sessions: 2))
        let back = try #require(came.withLock { $0 })
        let items = URLComponents(url: back, resolvingAgainstBaseURL: false)?.queryItems
        let code = try #require(items?.first { $0.name == "code" }?.value)

        await client.signOut()
        let again = ScriptedBrowser { "?code=\(code)&state=\($0)" }
        let refusal = try await kind { try await client.signInWithBrowser(again) }
        #expect(refusal == .refused(code: "app_code_invalid"))
        #expect(await client.state == .signedOut(.byUser))
    }

    @Test("Eleven minutes later the account is deleted after another sign-in on the page")
    func deleteLater() async throws {
        let client = try world.launch()
        let opened = LockedValue<[URL]>([])
        let person = PagePerson(transport: world.transport)
        let browser = LoopbackBrowserSession(
            openPage: { page in
                opened.withLock { $0.append(page) }
                let back = try await person.wayBack(from: page)
                _ = try await URLSessionTransport().send(ServerRequest(method: "GET", url: back))
            },
            time: world.time.source
        )
        _ = try await client.signInWithBrowser(browser)
        world.apple.advance(by: .seconds(11 * 60))
        let forgetful = try await world.launchStarted()
        #expect(
            try await kind { try await forgetful.deleteAccount() } == .freshSignInRequired
        )
        try await client.deleteAccount()
        let pages = opened.withLock(\.self)
        #expect(pages.map { $0.query()?.contains("prompt=login") } == [false, true])
        #expect(try await world.counts().accounts == 0)
        #expect(await client.state == .signedOut(.deleted))
    }

    @Test("Another user on the page is refused, and the session stays")
    func anotherPerson() async throws {
        let client = try world.launch()
        _ = try await client.signInWithBrowser(browser(of: world))
        var noah = PagePerson(transport: world.transport)
        noah.username = "noah"
        let other = noah
        let browser = LoopbackBrowserSession(
            openPage: { page in
                let back = try await other.wayBack(from: page)
                _ = try await URLSessionTransport().send(ServerRequest(method: "GET", url: back))
            },
            time: world.time.source
        )
        let again = try world.launch(browser: browser)
        await again.start()
        #expect(try await kind { try await again.requireFreshSignIn() } == .anotherPerson)
        #expect(await again.person?.account.username == "pia")
        #expect(try await again.refreshAccount().account.username == "pia")
    }

    @Test("A sign-out while the page is open stays one")
    func signedOutMeanwhile() async throws {
        let client = try world.launch()
        let account = try await client.signInWithBrowser(browser(of: world)).account.id
        let person = PagePerson(transport: world.transport)
        let slow = LoopbackBrowserSession(
            openPage: { page in
                await client.signOut()
                let back = try await person.wayBack(from: page)
                _ = try await URLSessionTransport().send(ServerRequest(method: "GET", url: back))
            },
            time: world.time.source
        )
        let again = Task { try await kind { try await client.signIn(slow, expecting: account) } }
        #expect(try await again.value == .canceled)
        #expect(await client.state == .signedOut(.byUser))
    }

    @Test("A person who cancels on the page has cancelled in the app")
    func cancelled() async throws {
        let client = try world.launch()
        let browser = browser(of: world, action: "cancel")
        #expect(try await kind { try await client.signInWithBrowser(browser) } == .canceled)
        #expect(await client.state == .signedOut())
        #expect(world.transport.requests.isEmpty)
    }

    @Test("A cancelled task, ten minutes, and no browser end the wait")
    func endings() async throws {
        let client = try world.launch()
        let opened = Signal()
        let session = LoopbackBrowserSession(
            openPage: { _ in opened.send() },
            time: world.time.source
        )
        let attempt = Task { try await kind { try await client.signInWithBrowser(session) } }
        await opened.wait()
        attempt.cancel()
        #expect(try await attempt.value == .canceled)

        let late = Task { try await kind { try await client.signInWithBrowser(session) } }
        await opened.wait()
        try await waitUntil { world.time.sleeperCount > 0 }
        world.time.advance(bySeconds: 601)
        #expect(try await late.value == .canceled)

        let none = LoopbackBrowserSession(
            openPage: { _ in throw AuthorizationFailure(.failed) },
            time: world.time.source
        )
        #expect(try await kind { try await client.signInWithBrowser(none) } == .failed)
        #expect(await client.state == .signedOut())
    }
}
