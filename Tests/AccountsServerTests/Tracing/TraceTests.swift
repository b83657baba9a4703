import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryTracing
import ServerTestSupport
import SignInWithApple
import Synchronization
import TestSupport
import Testing
import TraceContext
import Tracing

@testable import AccountsServer

@Suite("Traces", .timeLimit(.minutes(2)))
struct TraceTests {
    private static let received = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = HTTPField.Name("traceparent")
    private static let state = HTTPField.Name("tracestate")

    /// Signs in natively, and returns the response.
    @discardableResult
    private func signIn(
        _ server: TestServer,
        _ fields: HTTPFields = [:]
    ) async throws -> TestResponse {
        let credential = try await server.apple.credentials()
        let body: JSONObject = credential.request
        let answer = try await server.send(
            .post,
            "/api/sessions/apple",
            .json + fields,
            body: JSONValue.object(body).text
        )
        #expect(answer.status == .created, "\(answer.text)")
        return answer
    }

    private func fields(_ parent: String?, state: String? = nil) throws -> HTTPFields {
        var fields: HTTPFields = [:]
        fields[try #require(Self.parent)] = parent
        fields[try #require(Self.state)] = state
        return fields
    }

    @Test("of a trusted proxy are continued, in the log and at Apple")
    func trusted() async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        let sent = SentFields()
        try await withAccountsServer(
            { $0.trustedProxies = proxies },
            setup: .live,
            tracer: ContextTracer(),
            reaching: sent.recording
        ) { server in
            try await signIn(server, try fields(Self.received, state: "rojo=1"))
            let lines = server.log.text.split(separator: "\n").filter { $0.contains("signed in") }
            #expect(lines.count == 1)
            #expect(lines.allSatisfy { $0.contains("\"trace_id\": \(Self.traceID)") })
            #expect(lines.allSatisfy { $0.contains("\"span_id\": ") })
        }
        let toApple = try sent.all(try #require(Self.parent)).map { try #require(TraceParent($0)) }
        #expect(toApple.count >= 2)
        #expect(toApple.allSatisfy { "\($0.traceID)" == Self.traceID && $0.isSampled })
        #expect(Set(toApple.map(\.spanID)).count == toApple.count)
        #expect(toApple.allSatisfy { $0.spanText != "00f067aa0ba902b7" })
        #expect(sent.all(try #require(Self.state)).allSatisfy { $0 == "rojo=1" })
    }

    @Test(
        "of other clients, and invalid ones, are not: a new one begins",
        arguments: [
            (false, received), (true, "00-0-0-00"), (true, received.uppercased()), (true, nil),
        ]
    )
    func untrusted(_ isTrusted: Bool, _ field: String?) async throws {
        let proxies = try TrustedProxies(isTrusted ? ["127.0.0.1"] : [])
        let sent = SentFields()
        try await withAccountsServer(
            { $0.trustedProxies = proxies },
            setup: .live,
            tracer: ContextTracer(),
            reaching: sent.recording
        ) { server in
            try await signIn(server, try fields(field, state: "rojo=1"))
            #expect(!server.log.text.contains(Self.traceID))
            #expect(server.log.text.contains("trace_id"))
        }
        let toApple = try sent.all(try #require(Self.parent)).map { try #require(TraceParent($0)) }
        #expect(toApple.count >= 2)
        #expect(toApple.allSatisfy { "\($0.traceID)" != Self.traceID })
        #expect(sent.all(try #require(Self.state)).isEmpty)
    }

    @Test("are different for two requests, and the same for all lines of each")
    func separate() async throws {
        try await withAccountsServer(tracer: ContextTracer()) { server in
            _ = try await server.send(.get, "/health/live")
            _ = try await server.send(.get, "/api/account")
            let traces = server.log.text.split(separator: "\n")
                .filter { $0.contains("request [") || $0.contains("refused [") }
                .compactMap { $0.firstMatch(of: /"trace_id": ([0-9a-f]{32})/)?.output.1 }
            // One line of the first; two of the second, for its error and its response.
            #expect(traces.count == 3)
            #expect(Set(traces).count == 2)
        }
    }

    @Test("do not exist when they are not enabled") func without() async throws {
        let sent = SentFields()
        try await withAccountsServer(reaching: sent.recording) { server in
            try await signIn(server, try fields(Self.received))
            #expect(!server.log.text.contains("trace_id"))
        }
        #expect(sent.all(try #require(Self.parent)).isEmpty)
        #expect(sent.count >= 2)
    }

    @Test("have a span for the request, and within it one for each step")
    func spans() async throws {
        let tracer = InMemoryTracer()
        try await withAccountsServer(tracer: tracer) { server in try await signIn(server) }
        let spans = tracer.finishedSpans
        let request = try #require(spans.first { $0.operationName == "POST /api/sessions/apple" })
        #expect(request.kind == .server)
        #expect(request.parentSpanID == nil)
        #expect(request.attributes.get("http.response.status_code") == .int64(201))
        #expect(request.attributes.get("http.route") == .string("/api/sessions/apple"))
        let within = spans.filter { $0.traceID == request.traceID && $0.parentSpanID != nil }
        let names = Set(within.map(\.operationName))
        #expect(
            names.isSuperset(of: [
                "verify identity token", "GET /auth/keys", "POST /auth/token",
                "store beginSignIn", "store completeSignIn",
            ])
        )
        let keys = within.first { $0.operationName == "GET /auth/keys" }
        let verification = within.first { $0.operationName == "verify identity token" }
        #expect(keys?.parentSpanID == verification?.spanID)
        #expect(keys?.kind == .client)
    }

    @Test("report a failure by its code, and never what was sent") func failures() async throws {
        let tracer = InMemoryTracer()
        try await withAccountsServer(tracer: tracer) { server in
            let credential = try await server.apple.credentials()
            let altered = AlteredToken.of(credential.identityToken)
            let body: JSONObject = ["identityToken": .string(altered)]
            let answer = try await server.postJSON("/api/sessions/apple", body)
            #expect(answer.status == .unauthorized)
            let verification = try #require(
                tracer.finishedSpans.first { $0.operationName == "verify identity token" }
            )
            #expect(verification.status?.code == .error)
            let kind = verification.attributes.get("error.type")
            #expect(kind == .string("token_signature_invalid"))
            let request = tracer.finishedSpans.first { $0.kind == .server }
            #expect(request?.status == nil, "a refusal is no failure of the server")
            #expect(tracer.finishedSpans.allSatisfy { $0.errors.isEmpty })
        }
    }

    @Test("of outbox entries are their own") func outbox() async throws {
        let tracer = InMemoryTracer()
        try await withAccountsServer(tracer: tracer) { server in
            let answer = try await signIn(server)
            let token = try #require(answer.json?["token"]?.stringValue)
            _ = try await server.delete("/api/account", token)
            try await waitUntil {
                tracer.finishedSpans.contains { $0.operationName == "outbox revocation" }
            }
        }
        let spans = tracer.finishedSpans
        let attempt = try #require(spans.first { $0.operationName == "outbox revocation" })
        #expect(attempt.parentSpanID == nil)
        let revocation = spans.first { $0.operationName == "POST /auth/revoke" }
        #expect(revocation?.parentSpanID == attempt.spanID)
    }
}

/// The requests to Apple.
private final class SentFields: Sendable {
    private let sent = Mutex<[HTTPFields]>([])

    var count: Int { sent.withLock { $0.count } }

    func all(_ name: HTTPField.Name) -> [String] {
        sent.withLock { $0.compactMap { $0[name] } }
    }

    func recording(_ transport: AppleTransport) -> AppleTransport {
        AppleTransport { request, body in
            self.sent.withLock { $0.append(request.headerFields) }
            return try await transport.send(request, body: body)
        }
    }
}
