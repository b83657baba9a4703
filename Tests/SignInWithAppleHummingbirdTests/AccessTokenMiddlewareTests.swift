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
                .init(
                    head: HTTPResponse(status: .init(code: keysStatus)),
                    body: Data(#"{"keys":[]}"#.utf8)
                )
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

    @Test(
        "A request without a valid token is told so",
        arguments: [
            nil: "Bearer",
            "Bearer a.b.c":
                #"Bearer error="invalid_token", error_description="The access token cannot be read.""#,
        ] as [String?: String]
    )
    func refused(field: String?, challenge: String) async throws {
        let response = try await response(to: field)
        #expect(response.status == .unauthorized)
        #expect(response.headers[.wwwAuthenticate] == challenge)
    }

    @Test("Without the server's keys, the request can be repeated")
    func noKeys() async throws {
        // {"alg":"ES256","typ":"at+jwt","kid":"a"}
        let head = "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ"
        let response = try await response(to: "Bearer \(head).e30.AAAA", keysStatus: 500)
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] != nil)
    }

    @Test("The service of docs/how-to/access-tokens.md refuses requests")
    func example() async throws {
        let router = try makeService("https://accounts.example.com", audience: "api")
        let status = try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/orders", method: .get).status
        }
        #expect(status == .unauthorized)
    }
}
