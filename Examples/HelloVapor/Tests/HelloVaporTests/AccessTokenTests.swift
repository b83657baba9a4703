import Foundation
import HTTPTypes
import SignInWithApple
import SignInWithAppleVapor
import Testing
import Vapor
import VaporTesting

@Suite("A service beside an accounts server") struct AccessTokenTests {
    private static let keys =
        #"{"keys":[{"kty":"EC","crv":"P-256","kid":"k","x":"lc3D2YNsj8"#
        + #"aIt86tTvsS1r4BtPr5y6RbS2Lj2UdQeaQ","y":"Ag1qWM4S4Np_9l5MsSHF8VToUpSZ30"#
        + #"RR10gwPpZ5Ul4"}]}"#
    /// It expires in 2096.
    private static let token =
        "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImsifQ.eyJpc3MiOiJodHRwczovL2FjY"
        + "291bnRzLmV4YW1wbGUuY29tIiwiYXVkIjoiaHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20iLCJzdWIiOiJtY"
        + "XlhIiwiaWF0IjoxNzYwMDAwMDAwLCJleHAiOjQwMDAwMDAwMDAsImp0aSI6InQiLCJzaWQiOiJzIiwiY"
        + "XV0aF90aW1lIjoxNzYwMDAwMDAwfQ.5fRRqeKesrW5RB-UYdx_PYzjOsQDyOx7YeLjtVozcqaHsr7mQW"
        + "nDoURq4IS1u2wfcTE3JIMTk5WnzqSQTiTnAw"

    /// What the service for an audience answers to a request with this field.
    private func answer(
        to field: String?,
        audience: String = "https://api.example.com",
        keysStatus: Int = 200
    ) async throws -> TestingHTTPResponse {
        let verifier = try AccessTokenVerifier(
            issuer: "https://accounts.example.com",
            audience: audience,
            transport: AppleTransport { _, _ in
                .init(head: .init(status: .init(code: keysStatus)), body: Data(Self.keys.utf8))
            }
        )
        let app = try await Application.make(.testing)
        app.grouped(AccessTokenMiddleware(verifier)).get("orders") { request in
            try request.auth.require(VerifiedAccessToken.self).accountID
        }
        let headers: HTTPHeaders = field.map { ["Authorization": $0] } ?? [:]
        let answer = try await app.testing().sendRequest(.GET, "/orders", headers: headers)
        try await app.asyncShutdown()
        return answer
    }

    @Test("accepts a token of the accounts server, for this service") func token() async throws {
        let bearer = "Bearer \(Self.token)"
        #expect(try await answer(to: bearer).body.string == "maya")
        #expect(try await answer(to: bearer, keysStatus: 500).status == .serviceUnavailable)
        let other = try await answer(to: bearer, audience: "https://other.example.com")
        #expect(other.status == .unauthorized)
        #expect(other.headers.first(name: "WWW-Authenticate")?.contains("invalid_token") == true)
        let without = try await answer(to: nil)
        #expect(without.headers.first(name: "WWW-Authenticate") == "Bearer")
    }
}
