import AccountsAccessTokens
import Crypto
import Foundation
import HTTPTypes
import SignInWithApple
import Testing
import Vapor
import VaporTesting

@testable import HelloVapor

@Suite("A service beside an accounts server") struct AccessTokenTests {
    private static let issuer = "https://accounts.example.com"
    private static let audience = "https://api.example.com"

    private let key = P256.Signing.PrivateKey()

    /// What the service answers to a request with this field.
    private func answer(to field: String?, keysStatus: Int = 200) async throws
        -> TestingHTTPResponse
    {
        let keys = keySet
        let verifier = try AccessTokenVerifier(
            issuer: Self.issuer,
            audience: Self.audience,
            transport: AppleTransport { _, _ in
                .init(head: HTTPResponse(status: .init(code: keysStatus)), body: keys)
            }
        )
        let app = try await Application.make(.testing)
        app.grouped(AccessTokenMiddleware(verifier: verifier)).get("orders") { request in
            try request.auth.require(VerifiedAccessToken.self).accountID
        }
        let headers: HTTPHeaders = field.map { ["Authorization": $0] } ?? [:]
        let answer = try await app.testing().sendRequest(.GET, "/orders", headers: headers)
        try await app.asyncShutdown()
        return answer
    }

    private var keySet: Data {
        let point = key.publicKey.rawRepresentation
        let (x, y) = (point.prefix(32).base64URL, point.suffix(32).base64URL)
        return Data(
            #"{"keys":[{"kty":"EC","crv":"P-256","kid":"k","x":"\#(x)","y":"\#(y)"}]}"#.utf8
        )
    }

    private func token(audience: String = audience) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let header = Data(#"{"alg":"ES256","typ":"at+jwt","kid":"k"}"#.utf8).base64URL
        let claims = """
            {"iss":"\(Self.issuer)","aud":"\(audience)","sub":"maya","iat":\(now),"exp":\(now + 300),\
            "jti":"t","sid":"s","auth_time":\(now)}
            """
        let signed = "\(header).\(Data(claims.utf8).base64URL)"
        return try "\(signed).\(key.signature(for: Data(signed.utf8)).rawRepresentation.base64URL)"
    }

    @Test("accepts a token of the accounts server") func accepts() async throws {
        let answer = try await answer(to: "Bearer \(token())")
        #expect(answer.status == .ok && answer.body.string == "maya")
    }

    @Test("refuses a request without a token, and a token for another service")
    func refuses() async throws {
        let without = try await answer(to: nil)
        #expect(without.status == .unauthorized)
        #expect(without.headers.first(name: "WWW-Authenticate") == "Bearer")
        let other = try await answer(to: "Bearer \(token(audience: "https://other.example.com"))")
        #expect(other.status == .unauthorized)
        #expect(other.headers.first(name: "WWW-Authenticate")?.contains("invalid_token") == true)
    }

    @Test("answers 503 without the keys") func noKeys() async throws {
        let answer = try await answer(to: "Bearer \(token())", keysStatus: 500)
        #expect(answer.status == .serviceUnavailable)
    }
}

extension Data {
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
