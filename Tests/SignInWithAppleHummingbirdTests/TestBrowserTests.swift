import AppleEmulatorTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import Testing

@Suite("The browser of a test") struct TestBrowserTests {
    /// Over HTTP the cookie is Lax: the server posts Apple's form again from its own page.
    @Test("signs in over TLS and without it", arguments: ["https", "http"])
    func schemes(scheme: String) async throws {
        let url = scheme + "://localhost:9080"
        try await withHelloWorld(at: url) { world in
            var browser = try browser(world, at: url)
            let page = try await browser.signIn(from: "/auth/apple?return_to=/hello")
            #expect(page.url.path() == "/hello" && page.text == "Hello, Maya Lindgren")
            let name = (scheme == "https" ? "__Host-" : "") + "siwa-session"
            let cookie = try #require(browser.cookies[name], "\(browser.cookies.keys)")
            #expect(cookie.isHTTPOnly && cookie.sameSite == "lax")
            #expect(cookie.isSecure == (scheme == "https"))

            let start = try await browser.get("/")
            let deleted = try await browser.submit(start)
            #expect(deleted.url.path() == "/")
            #expect(try await browser.get("/hello").status == 401)
        }
    }

    @Test("cancels, and a copy is another browser with the same cookies")
    func copies() async throws {
        let url = "https://juice.example.com"
        try await withHelloWorld(at: url) { world in
            var browser = try browser(world, at: url)
            let callback = try await browser.authorize(isContinuing: false)
            #expect(callback["error"] == "user_cancelled_authorize" && callback.isPosted)
            #expect(try await browser.deliver(callback).url.path() == "/")

            var other = browser
            try await browser.signIn(as: "noah@example.com")
            #expect(try await browser.get("/hello").text == "Hello, Noah Okafor")
            #expect(try await other.get("/hello").status == 401)
        }
    }

    @Test("says what a server does wrong") func mistakes() async throws {
        try await withAppleEmulator { apple in
            var browser = try TestBrowser(apple, at: "https://juice.example.com") { request, _ in
                switch request.path {
                case "/loop":
                    (HTTPResponse(status: .found, headerFields: [.location: "/loop"]), Data())
                default: (HTTPResponse(status: .ok), Data("<p>No form".utf8))
                }
            }
            let page = try await browser.get("/a?b=c")
            #expect(page.url.absoluteString == "https://juice.example.com/a?b=c")
            await expect("too often") { try await browser.get("/loop") }
            await expect("not a path: a") { try await browser.get("a") }
            await expect("no form") { try await browser.submit(page) }
            await expect("does not lead to Apple") { _ = try await browser.authorize() }
            #expect(throws: TestAppleError.self) {
                try TestBrowser(apple, at: "juice") { _, _ in (HTTPResponse(status: .ok), Data()) }
            }
        }
    }

    private func expect(_ words: String, _ body: () async throws -> Void) async {
        let error = await #expect(throws: TestAppleError.self) { try await body() }
        #expect(error?.description.contains(words) == true)
    }

    private func browser(_ world: HelloWorld, at url: String) throws -> TestBrowser {
        try TestBrowser(world.apple, at: url) { request, body in
            let response = try await world.client.execute(
                uri: request.path ?? "/",
                method: request.method,
                headers: request.headerFields,
                body: ByteBuffer(bytes: body)
            )
            return (response.head, Data(response.body.readableBytesView))
        }
    }
}
