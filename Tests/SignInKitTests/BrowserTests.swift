import AppleIdentity
import Crypto
import Foundation
import Testing

@testable import SignInKit

@Suite("The way back from a browser") struct BrowserTests {
    /// A browser whose person comes back with what a test wants.
    private struct ScriptedBrowser: BrowserSession {
        let opened = LockedValue<[URL]>([])
        let answer: @Sendable (String) -> String

        func redirectURI() async throws(AuthorizationFailure) -> URL {
            guard let url = URL(string: "com.example.juice:/signed-in") else {
                throw AuthorizationFailure(.failed)
            }
            return url
        }

        func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
            opened.withLock { $0.append(url) }
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
            let state = items?.first { $0.name == "state" }?.value ?? ""
            guard let url = URL(string: callback.absoluteString + answer(state)) else {
                throw AuthorizationFailure(.failed)
            }
            return url
        }
    }

    @Test(
        "A way back with another state, without a code, or with one of them twice is refused",
        arguments: [
            ("?code=c&state=other", SignInKitError.Kind.invalidResponse),
            ("?code=c", .invalidResponse), ("", .invalidResponse),
            ("?state=STATE", .invalidResponse), ("?state=STATE&code=", .invalidResponse),
            ("?state=STATE&code=a&code=b", .invalidResponse),
            ("?state=STATE&state=STATE&code=a", .invalidResponse),
            ("?state=STATE&error=access_denied", .canceled),
        ]
    ) func refused(answer: String, expected: SignInKitError.Kind) async throws {
        try await withApp { world in
            let client = try world.launch()
            let browser = ScriptedBrowser { answer.replacing("STATE", with: $0) }
            #expect(try await kind { try await client.signInWithBrowser(browser) } == expected)
            #expect(await client.state == .signedOut)
            #expect(world.transport.requests.isEmpty)
        }
    }

    @Test("The page is asked with a challenge whose verifier only the app knows") func challenge()
        async throws
    {
        try await withApp { world in
            let client = try world.launch()
            world.transport.network = .answers(status: 404)
            let browser = ScriptedBrowser { "?code=one&state=\($0)" }
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
            #expect(
                Base64URLText.decode(challenge) == Data(SHA256.hash(data: Data(verifier.utf8)))
            )
        }
    }
}

@Suite("The way back by a port of this machine") struct LoopbackBrowserTests {
    private func get(_ url: URL) async throws -> ServerAnswer {
        try await URLSessionTransport().send(ServerRequest(method: "GET", url: url))
    }

    @Test("The browser's request comes back to the app, others are turned away") func wayBack()
        async throws
    {
        let page = try #require(URL(string: "https://juice.example.com/sign-in/app"))
        let opened = LockedValue<URL?>(nil)
        let signal = Signal()
        let session = LoopbackBrowserSession(
            openPage: { url in
                opened.withLock { $0 = url }
                signal.send()
            },
            time: ManualTime().source
        )
        let callback = try await session.redirectURI()
        #expect(callback.host() == "127.0.0.1" && callback.path() == "/signed-in")
        async let answer = session.open(page, callback: callback)
        await signal.wait()
        #expect(opened.withLock { $0 } == page)
        let icon = try await get(callback.deletingLastPathComponent().appending(path: "icon"))
        #expect(icon.status == 404)
        let back = callback.appending(queryItems: [URLQueryItem(name: "code", value: "a b")])
        let shown = try await get(back)
        #expect(shown.status == 200)
        #expect(String(decoding: shown.body, as: UTF8.self).contains("go back to the app"))
        let came = try await answer
        #expect(came == back)
    }

    @Test("It ends when the time is up, and when the task is cancelled") func ends()
        async throws
    {
        let page = try #require(URL(string: "https://juice.example.com/sign-in/app"))
        let time = ManualTime()
        let session = LoopbackBrowserSession(openPage: { _ in }, time: time.source)
        let callback = try await session.redirectURI()
        let late = Task { try await session.open(page, callback: callback) }
        while time.sleeperCount == 0 { await Task.yield() }
        time.advance(bySeconds: 601)
        await #expect(throws: AuthorizationFailure(.canceled)) { try await late.value }
        let again = try await session.redirectURI()
        let task = Task { try await session.open(page, callback: again) }
        task.cancel()
        await #expect(throws: AuthorizationFailure(.canceled)) { try await task.value }
    }
}
