import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import Testing

@Suite("Access tokens in Hummingbird") struct AccessTokenMiddlewareTests {
    /// What the service answers if the accounts server answers requests for its keys with a status.
    private func response(
        to field: String?,
        keysStatus: Int = 200
    ) async throws -> TestResponse {
        let verifier = try AccessTokenVerifier(
            issuer: "https://accounts.example.com",
            audience: "api",
            transport: AppleTransport { _, _ in
                (HTTPResponse(status: .init(code: keysStatus)), Data(#"{"keys":[]}"#.utf8))
            }
        )
        let router = Router(context: ServiceContext.self)
        router.add(middleware: AccessTokenMiddleware(verifier))
        router.get("/") { _, context in context.accessToken?.accountID }
        return try await Application(router: router).test(.router) { client in
            let headers: HTTPFields = field.map { [.authorization: $0] } ?? [:]
            return try await client.execute(uri: "/", method: .get, headers: headers)
        }
    }

    @Test("A request without a token is told how to send one")
    func noToken() async throws {
        let response = try await response(to: nil)
        #expect(response.status == .unauthorized)
        #expect(response.headers[.wwwAuthenticate] == "Bearer")
    }

    @Test("A request with an invalid token is told so")
    func invalidToken() async throws {
        let response = try await response(to: "Bearer a.b.c")
        #expect(response.status == .unauthorized)
        #expect(
            response.headers[.wwwAuthenticate]
                == #"Bearer error="invalid_token", error_description="The access token cannot be read.""#
        )
    }

    @Test("Without the server's keys, the request can be repeated")
    func noKeys() async throws {
        // {"alg":"ES256","typ":"at+jwt","kid":"a"}
        let head = "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ"
        let response = try await response(to: "Bearer \(head).e30.AAAA", keysStatus: 500)
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] != nil)
    }

    @Test("The service of docs/how-to/access-tokens.md is this code, and refuses requests")
    func example() async throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let code = try String(
            contentsOf: tests.appending(path: "ServiceExample.swift"),
            encoding: .utf8
        )
        let page = tests.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/how-to/access-tokens.md")
        let isOfThePage = try String(contentsOf: page, encoding: .utf8).contains(code)
        #expect(isOfThePage, "copy ServiceExample.swift to docs/how-to/access-tokens.md")
        let router = try makeService("https://accounts.example.com", audience: "api")
        let status = try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/orders", method: .get).status
        }
        #expect(status == .unauthorized)
    }
}
