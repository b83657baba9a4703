import AppleEmulatorTesting
import Foundation
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import Testing

@testable import HelloApple

@Suite("The example's server") struct HelloAppleTests {
    @Test("greets a person who signed in through Apple's page, until they stop using the app")
    func wholeLife() async throws {
        try await withServer { apple, client in
            var browser = try browser(apple, client)
            let hello = try await browser.signIn(from: signIn)
            #expect(hello.url.path() == "/hello" && hello.text == "Hello, Maya Lindgren")

            try await apple.emulator
                .stopUsing("maya@example.com", clientID: "com.example.juice")
            await apple.deliverNotifications { try await notify($0, client) }
            #expect(try await browser.get("/hello").status == 401)
        }
    }

    @Test("keeps a session that began after the end of an earlier consent")
    func lateNotification() async throws {
        try await withServer { apple, client in
            var browser = try browser(apple, client)
            try await browser.signIn(from: signIn)
            try await apple.emulator
                .stopUsing("maya@example.com", clientID: "com.example.juice")
            var late: [Data] = []
            await apple.deliverNotifications {
                late.append($0)
                return 200
            }
            apple.advance(by: .seconds(60))
            try await browser.signIn(from: signIn)
            for body in late { #expect(try await notify(body, client) == 200) }
            #expect(try await browser.get("/hello").status == 200)
        }
    }

    @Test("shows the start page, with its link to the sign-in, after Cancel")
    func cancel() async throws {
        try await withServer { apple, client in
            var browser = try browser(apple, client)
            let page = try await browser.deliver(
                browser.authorize(from: signIn, isContinuing: false)
            )
            #expect(page.status == 200)
            #expect(page.text.contains(#"<a href="/auth/apple?return_to=/hello">"#))
        }
    }

    private let publicURL = "https://juice.example.com"
    private let signIn = "/auth/apple?return_to=/hello"

    /// Runs a body with an emulator and the server.
    private func withServer(
        _ body: @escaping @Sendable (TestApple, any TestClientProtocol) async throws -> Void
    ) async throws {
        let seed = Seed.demo(redirectURIs: [publicURL + "/auth/apple/callback"])
        try await withAppleEmulator(seed: seed) { apple in
            let hello = try Hello(
                apple: apple.signIn(),
                sealer: TokenSealer(keys: TokenSealer.makeKey(identifier: "test")),
                store: DemoAppleTokenStore(),
                publicURL: publicURL
            )
            try await Application(router: hello.router).test(.router) { try await body(apple, $0) }
        }
    }

    private func browser(
        _ apple: TestApple,
        _ client: any TestClientProtocol
    ) throws -> TestBrowser {
        try TestBrowser(apple, at: publicURL) { request, body in
            let response = try await client.execute(
                uri: request.path ?? "/",
                method: request.method,
                headers: request.headerFields,
                body: ByteBuffer(bytes: body)
            )
            return (response.head, Data(response.body.readableBytesView))
        }
    }

    /// What Apple posts, and the status it hears.
    private func notify(_ body: Data, _ client: any TestClientProtocol) async throws -> Int {
        try await client.execute(
            uri: "/auth/apple/notifications",
            method: .post,
            headers: [.contentType: "application/json"],
            body: ByteBuffer(bytes: body)
        )
        .status.code
    }
}
