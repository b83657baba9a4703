import AppleEmulatorTesting
import Foundation
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import Testing

@testable import HelloApple

@Suite("The example's server") struct HelloAppleTests {
    @Test("greets whoever signed in through Apple's page, until they stop using the app")
    func wholeLife() async throws {
        let callback = "https://juice.example.com/auth/apple/callback"
        try await withAppleEmulator(seed: .demo(redirectURIs: [callback])) { apple in
            let router = try helloRouter(
                apple: apple.signIn(),
                sealingKeys: TokenSealer.makeKey(identifier: "test")
            )
            try await Application(router: router).test(.router) { client in
                let session = try await signIn(apple, client)
                let hello = try await get("/hello", client, cookie: session)
                #expect(String(buffer: hello.body) == "Hello, Maya Lindgren")

                try await apple.emulator
                    .stopUsing("maya@example.com", clientID: "com.example.juice")
                await apple.deliverNotifications { try await notify($0, client) }
                let ended = try await get("/hello", client, cookie: session)
                #expect(ended.status == .unauthorized)
            }
        }
    }

    @Test(
        "does not start when nobody said which Apple is meant",
        arguments: [[:], ["APPLE_URL": ""]]
    )
    func noApple(settings: [String: String]) {
        #expect(throws: HelloError.noAppleURL) { try helloApple(settings) }
    }

    /// Goes through Apple's page and back; what the browser has afterwards.
    private func signIn(
        _ apple: TestApple,
        _ client: some TestClientProtocol
    ) async throws -> String {
        let begun = try await get("/auth/apple?return_to=/hello", client)
        let page = try #require(begun.headers[.location].flatMap { URL(string: $0) })
        let form = try await apple.authorize(page, as: "maya@example.com")
        let signedIn = try await client.execute(
            uri: "/auth/apple/callback",
            method: .post,
            headers: [
                .contentType: "application/x-www-form-urlencoded",
                .cookie: try cookie(begun),
            ],
            body: ByteBuffer(bytes: form.formBody)
        )
        #expect(signedIn.headers[.location] == "/hello")
        return try cookie(signedIn)
    }

    /// What Apple posts, and the status it hears.
    private func notify(_ body: Data, _ client: some TestClientProtocol) async throws -> Int {
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
        _ client: some TestClientProtocol,
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
