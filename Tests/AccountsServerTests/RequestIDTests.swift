import AppleIdentity
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsServer

@Suite("The ID of a request")
struct RequestIDTests {
    private static let field = HTTPField.Name("X-Request-ID")

    @Test(
        "is in an error's response and in its log lines, and never the client's own",
        arguments: [
            (HTTPRequest.Method.get, "/api/account", 401), (.get, "/sign-in/forgotten/no", 404),
            (.post, "/api/sessions/apple", 422), (.put, "/sign-in", 405),
        ]
    )
    func errors(_ method: HTTPRequest.Method, _ path: String, _ status: Int) async throws {
        try await withAccountsServer { server in
            let field = try #require(Self.field)
            let headers = HTTPFields.json + [field: "0123456789abcdef"]
            let answer = try await server.send(method, path, headers, body: "{}")
            #expect(answer.status.code == status)
            let id = try #require(answer.headers[field])
            #expect(!server.log.text.contains("0123456789abcdef"))
            let lines = server.log.text.split(separator: "\n")
                .filter { $0.contains("refused [") || $0.contains("request [") }
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains("\"hb.request.id\": \(id)") })
        }
    }

    @Test("is in no other response") func success() async throws {
        try await withAccountsServer { server in
            let answer = try await server.send(.get, "/health/live")
            #expect(answer.headers[try #require(Self.field)] == nil)
        }
    }
}
