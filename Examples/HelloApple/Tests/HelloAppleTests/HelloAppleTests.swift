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
            let signedIn = try await callback(apple, client)
            #expect(signedIn.headers[.location] == "/hello")
            let session = try cookie(signedIn)
            let hello = try await get("/hello", client, cookie: session)
            #expect(String(buffer: hello.body) == "Hello, Maya Lindgren")

            try await apple.emulator
                .stopUsing("maya@example.com", clientID: "com.example.juice")
            await apple.deliverNotifications { try await notify($0, client) }
            let ended = try await get("/hello", client, cookie: session)
            #expect(ended.status == .unauthorized)
        }
    }

    @Test("keeps a session that began after the end of an earlier consent")
    func lateNotification() async throws {
        try await withServer { apple, client in
            _ = try await callback(apple, client)
            try await apple.emulator
                .stopUsing("maya@example.com", clientID: "com.example.juice")
            var late: [Data] = []
            await apple.deliverNotifications {
                late.append($0)
                return 200
            }
            apple.advance(by: .seconds(60))
            let session = try cookie(try await callback(apple, client))
            for body in late { #expect(try await notify(body, client) == 200) }
            let hello = try await get("/hello", client, cookie: session)
            #expect(hello.status == .ok)
        }
    }

    @Test("shows the start page, with its link to the sign-in, after Cancel")
    func cancel() async throws {
        try await withServer { apple, client in
            let cancelled = try await callback(apple, client, isContinuing: false)
            let page = try await get(try #require(cancelled.headers[.location]), client)
            #expect(page.status == .ok)
            let text = String(buffer: page.body)
            #expect(text.contains(#"<a href="/auth/apple?return_to=/hello">"#))
        }
    }

    /// Runs a body with an emulator and the server.
    private func withServer(
        _ body: @escaping @Sendable (TestApple, any TestClientProtocol) async throws -> Void
    ) async throws {
        let publicURL = "https://juice.example.com"
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

    /// Signs in or cancels on Apple's page, and returns the response to the callback.
    private func callback(
        _ apple: TestApple,
        _ client: any TestClientProtocol,
        isContinuing: Bool = true
    ) async throws -> TestResponse {
        let begun = try await get("/auth/apple?return_to=/hello", client)
        let page = try #require(begun.headers[.location].flatMap { URL(string: $0) })
        let form = try await apple.authorize(page, isContinuing: isContinuing)
        return try await client.execute(
            uri: "/auth/apple/callback",
            method: .post,
            headers: [
                .contentType: "application/x-www-form-urlencoded",
                .cookie: try cookie(begun),
            ],
            body: ByteBuffer(bytes: form.formBody)
        )
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

    private func get(
        _ path: String,
        _ client: any TestClientProtocol,
        cookie: String? = nil
    ) async throws -> TestResponse {
        let headers: HTTPFields = cookie.map { [.cookie: $0] } ?? [:]
        return try await client.execute(uri: path, method: .get, headers: headers)
    }

    /// The first cookie that an answer sets, as a browser sends it back.
    private func cookie(_ response: TestResponse) throws -> String {
        String(try #require(response.headers[values: .setCookie].first).prefix { $0 != ";" })
    }
}
