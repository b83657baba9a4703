import Accounts
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import PrometheusMetrics
import ServerTestSupport
import Testing

@Suite("Access tokens for the team's services", .timeLimit(.minutes(2)))
struct AccessTokenInterfaceTests {
    private static let secret = String(repeating: "s", count: 32)
    private static let audience = "https://api.example.com"

    private func with(_ body: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        try await withAccountsServer {
            $0.tokenAudiences = try TokenAudiences([Self.audience, "orders"])
            $0.introspectionSecrets = try IntrospectionSecrets(["orders:\(Self.secret)"])
        } _: {
            try await body($0)
        }
    }

    @Test("are signed by a published key, and active until their session ends")
    func life() async throws {
        try await with { server in
            let session = try await server.token()
            let made = try await server.token(for: Self.audience, session)
            #expect(made.status == .created && made.headers[.cacheControl] == "no-store")
            let token = try #require(made.json?["accessToken"]?.stringValue)
            let keys = try await server.send(.get, "/.well-known/jwks.json")
            #expect(keys.headers[.cacheControl] == "public, max-age=300")
            let key = keys.json?["keys"]?.arrayValue?.first?.objectValue?.members.map(\.name)
            #expect(key?.sorted() == ["alg", "crv", "kid", "kty", "use", "x", "y"])
            let active = try await server.introspect(token, "orders:\(Self.secret)")
            #expect(active.json?["active"] == true && active.json?["aud"] == .string(Self.audience))
            #expect(active.json?["amr"] == ["apple"])
            #expect(active.json?["iss"] == .string(TestServer.publicURL))
            let own = try await server.introspect(session, "orders:\(Self.secret)")
            #expect(own.json?["active"] == true && own.json?["sid"] == active.json?["sid"])
            #expect(!own.text.contains("maya") && !own.text.contains("Maya"))
            #expect(try await server.delete("/api/sessions/current", session).status == .noContent)
            for ended in [token, session, "nonsense", ""] {
                let answer = try await server.introspect(ended, "orders:\(Self.secret)")
                #expect(answer.text == #"{"active":false}"#)
            }
            expectRefusal(
                try await server.token(for: Self.audience, session),
                .unauthorized,
                "session_invalid"
            )
            let text = server.metrics.exposition()
            #expect(text.contains("siwa_access_tokens_total 1"))
            #expect(text.contains(#"siwa_introspections_total{outcome="inactive"} 4"#))
            #expect(!server.log.text.contains(token) && !server.log.text.contains(Self.secret))
        }
    }

    @Test(
        "are refused for audiences that are not listed",
        arguments: ["billing", "https://api.example.com/", "ORDERS", ""]
    )
    func audiences(_ audience: String) async throws {
        try await with { server in
            let answer = try await server.token(for: audience, try await server.token())
            expectRefusal(answer, .unprocessableContent, "audience_unknown")
        }
    }

    @Test(
        "are hidden from whoever is no service, and the refusal is in the audit log",
        arguments: [
            nil, "orders:\(String(repeating: "x", count: 32))", "billing:\(secret)", "orders", ":",
            "orders:%", "orders:\(secret)&", "orders:",
        ] as [String?]
    )
    func secrets(_ credentials: String?) async throws {
        try await with { server in
            let answer = try await server.introspect("x", credentials)
            expectRefusal(answer, .unauthorized, "invalid_client")
            #expect(answer.json?["error"] == "invalid_client")
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Basic ") == true)
            let store: AccountStore = server.store
            let entries = try await store.auditEntries(AuditQuery())
            #expect(entries.map(\.action) == ["introspection_refused"])
            let isNamed = credentials?.hasPrefix("orders") == true
            #expect(entries.first?.detail == (isNamed ? "orders" : nil))
        }
    }

    @Test("are shown to a service with each of its two secrets while one replaces the other")
    func twoSecrets() async throws {
        let entries = ["orders:\(Self.secret)", "orders:\(String(repeating: "t", count: 32))"]
        try await withAccountsServer {
            $0.introspectionSecrets = try IntrospectionSecrets(entries)
        } _: { server in
            for entry in entries {
                #expect(try await server.introspect("x", entry).json == ["active": false])
            }
            let wrong = "orders:\(String(repeating: "u", count: 32))"
            expectRefusal(try await server.introspect("x", wrong), .unauthorized, "invalid_client")
        }
        #expect(throws: ConfigurationError.self) {
            try IntrospectionSecrets(entries + ["orders:\(String(repeating: "u", count: 32))"])
        }
    }

    @Test("are made for one account, and shown to one service, so often and no more")
    func limits() async throws {
        try await with { server in
            let (maya, noah) = (
                try await server.token(), try await server.token(of: "noah@example.com")
            )
            let credentials = "orders:\(Self.secret)"
            var statuses: [HTTPResponse.Status: Int] = [:]
            for _ in 0..<70 {
                statuses[try await server.token(for: "orders", maya).status, default: 0] += 1
            }
            #expect(statuses == [.created: 60, .tooManyRequests: 10])
            let limited = try await server.token(for: "orders", maya)
            expectRefusal(limited, .tooManyRequests, "too_many_attempts")
            #expect(limited.headers[.retryAfter] == "1")
            #expect(try await server.token(for: "orders", noah).status == .created)
            // The account's other requests are not limited, and a second later there is a token.
            #expect(try await server.get("/api/account", maya).status == .ok)
            server.apple.time.advance(bySeconds: 1)
            #expect(try await server.token(for: "orders", maya).status == .created)
            statuses = [:]
            for _ in 0..<2_010 {
                statuses[try await server.introspect("x", credentials).status, default: 0] += 1
            }
            #expect(statuses == [.ok: 2_000, .tooManyRequests: 10])
            server.apple.time.advance(bySeconds: 1)
            #expect(try await server.introspect("x", credentials).status == .ok)
        }
    }

    @Test("are asked about in one field of a form")
    func form() async throws {
        try await with { server in
            let headers = TestServer.service("orders:\(Self.secret)")
            for body in ["", "token_type_hint=x", "token=a&token=b"] {
                let answer = try await server.send(.post, "/api/introspect", headers, body: body)
                expectRefusal(answer, .badRequest, "invalid_request")
            }
            var others = headers
            others[.contentType] = "application/json"
            let json = try await server.send(.post, "/api/introspect", others, body: "{}")
            expectRefusal(json, .unsupportedMediaType, "content_type_unsupported")
        }
    }

    @Test("are described for OAuth, without what the server does not offer")
    func metadata() async throws {
        try await with { server in
            let answer = try await server.send(.get, "/.well-known/oauth-authorization-server")
            let issuer = "https://juice.example.com"
            #expect(
                answer.json == [
                    "issuer": .string(issuer), "response_types_supported": [],
                    "grant_types_supported": [],
                    "jwks_uri": .string(issuer + "/.well-known/jwks.json"),
                    "introspection_endpoint": .string(issuer + "/api/introspect"),
                    "introspection_endpoint_auth_methods_supported": ["client_secret_basic"],
                ]
            )
        }
    }

    @Test("are not found without the settings")
    func unset() async throws {
        try await withAccountsServer { server in
            for path in ["jwks.json", "oauth-authorization-server"] {
                let answer = try await server.send(.get, "/.well-known/" + path)
                expectRefusal(answer, .notFound, "access_tokens_unavailable")
            }
            let made = try await server.token(for: Self.audience, try await server.token())
            expectRefusal(made, .notFound, "access_tokens_unavailable")
            let asked = try await server.introspect("x", "orders:\(Self.secret)")
            expectRefusal(asked, .notFound, "access_tokens_unavailable")
        }
    }
}

extension TestServer {
    func token(for audience: String, _ session: String) async throws -> TestResponse {
        try await postJSON("/api/tokens", ["audience": .string(audience)], .bearer(session))
    }

    func introspect(_ token: String, _ credentials: String?) async throws -> TestResponse {
        let headers = Self.service(credentials)
        return try await send(.post, "/api/introspect", headers, body: "token=\(token)")
    }

    static func service(_ credentials: String?) -> HTTPFields {
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let encoded = credentials.map { Data($0.utf8).base64EncodedString() }
        fields[.authorization] = encoded.map { "Basic \($0)" }
        return fields
    }
}
