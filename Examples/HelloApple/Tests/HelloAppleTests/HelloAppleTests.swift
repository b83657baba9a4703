import AppleEmulatorTesting
import Foundation
import Hummingbird
import HummingbirdTesting
import SignInWithAppleHummingbird
import Testing

@testable import HelloApple

@Test("Maya signs in through Apple's page and is greeted by name") func mayaIsGreeted() async throws
{
    let callback = "https://juice.example.com/auth/apple/callback"
    try await withAppleEmulator(seed: .demo(redirectURIs: [callback])) { apple in
        let router = try helloRouter(
            apple: apple.signIn(),
            sealingKeys: TokenSealer.makeKey(identifier: "test")
        )
        try await Application(router: router).test(.router) { client in
            let begun = try await client.execute(uri: "/auth/apple?return_to=/hello", method: .get)
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

            let hello = try await client.execute(
                uri: "/hello",
                method: .get,
                headers: [.cookie: try cookie(signedIn)]
            )
            #expect(String(buffer: hello.body) == "Hello, Maya Lindgren")
        }
    }
}

/// The first cookie that an answer sets, as a browser sends it back.
private func cookie(_ response: TestResponse) throws -> String {
    String(try #require(response.headers[values: .setCookie].first).prefix { $0 != ";" })
}
