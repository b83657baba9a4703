import AccountStoreConformance
import Accounts
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsServer

@Suite(
    "Each metric changes with the events that it counts",
    .timeLimit(.minutes(2)),
    TestServer.lending
)
struct MetricsTests {
    private let server: TestServer
    init() throws { server = try TestServer.lending.lent.0 }

    private static func requests(_ method: String, _ route: String, _ status: String) -> String {
        "siwa_http_requests_total{method=\"\(method)\",route=\"\(route)\",status=\"\(status)\"}"
    }

    private static func signIns(_ way: String, _ outcome: String) -> String {
        "siwa_sign_ins_total{outcome=\"\(outcome)\",way=\"\(way)\"}"
    }

    @Test("requests by method, route and status class") func requests() async throws {
        let token = try await server.token()
        let path = HTTPField.Name.authorization
        let growth = try await server.growth {
            _ = try await server.get("/api/account", token)
            _ = try await server.send(.get, "/api/account", [path: "Bearer x"])
            _ = try await server.send(.head, "/health/live")
            _ = try await server.delete("/api/sessions/1", token)
            _ = try await server.send(.get, "/no/such/page")
            _ = try await server.send(HTTPRequest.Method("BREW") ?? .get, "/api/account")
        }
        #expect(growth[Self.requests("GET", "/api/account", "2xx")] == 1)
        #expect(growth[Self.requests("GET", "/api/account", "4xx")] == 1)
        #expect(growth[Self.requests("HEAD", "/health/live", "2xx")] == 1)
        #expect(growth[Self.requests("DELETE", "/api/sessions/{id}", "4xx")] == 1)
        #expect(growth[Self.requests("GET", "none", "4xx")] == 1)
        #expect(growth[Self.requests("other", "none", "4xx")] == 1)
        let duration = "siwa_http_request_duration_seconds"
        let labels = "{method=\"GET\",route=\"/api/account\"}"
        #expect(growth["\(duration)_count\(labels)"] == 2)
        #expect(growth.keys.allSatisfy { !$0.contains("/api/sessions/1") })
    }

    @Test("the time that a request took, on the server's clock") func duration() async throws {
        let measures = RequestMeasures(.get, "/slow", server.metrics)
        measures.count(.get, .ok, seconds: 0.3)
        let name = "siwa_http_request_duration_seconds"
        let measured = try await server.measurements()
        let labels = "method=\"GET\",route=\"/slow\""
        #expect(measured["\(name)_sum{\(labels)}"] == 0.3)
        #expect(measured["\(name)_bucket{\(labels),le=\"0.25\"}"] == 0)
        #expect(measured["\(name)_bucket{\(labels),le=\"0.5\"}"] == 1)
    }

    @Test("sign-ins by method and outcome, verifications, Apple's keys and responses")
    func apple() async throws {
        let growth = try await server.growth {
            _ = try await server.token()
            let credential = try await server.apple.credentials(for: "noah@example.com")
            let altered = AlteredToken.of(credential.identityToken)
            _ = try await server.signIn(identityToken: altered)
            _ = try await server.postJSON("/api/sessions/apple", ["unknown": "x"])
            let browser = TestBrowser(server)
            try await browser.signIn()
            _ = try await browser.postCallback("state=x&code=y&id_token=z")
        }
        #expect(growth[Self.signIns("apple_native", "ok")] == 1)
        #expect(growth[Self.signIns("apple_native", "token_signature_invalid")] == 1)
        #expect(growth[Self.signIns("apple_native", "other")] == 1)
        #expect(growth[Self.signIns("apple_web", "ok")] == 1)
        #expect(growth[Self.signIns("apple_web", "state_mismatch")] == 1)
        #expect((growth["siwa_token_verification_seconds_count"] ?? 0) >= 3)
        #expect(growth["siwa_apple_key_fetches_total{outcome=\"ok\"}"] == 1)
        #expect((growth["siwa_apple_key_hits_total"] ?? 0) >= 2)
        let now = server.apple.now.timeIntervalSince1970
        #expect(growth["siwa_apple_keys_fetched_timestamp_seconds"] == now)
        let answers = "siwa_apple_request_duration_seconds_count"
        #expect(growth["\(answers){endpoint=\"keys\",status=\"2xx\"}"] == 1)
        #expect((growth["\(answers){endpoint=\"token\",status=\"2xx\"}"] ?? 0) >= 1)
    }

    @Test("accounts that a transferred app's users get beside those of the former team")
    func unknownTransfers() async throws {
        let emulator = server.apple.emulator
        _ = try await emulator.add(.team, ["team_id": "OTHERTEAM1"])
        _ = try await server.token()
        _ = try await emulator.transfer([
            "client_id": "com.example.juice", "to_team": "OTHERTEAM1",
        ])
        let growth = try await server.growth {
            let credential = try await server.apple.credentials()
            let answer = try await server.signIn(identityToken: credential.identityToken)
            #expect(answer.status == .created)
        }
        #expect(growth["siwa_unknown_transfers_total"] == 1)
    }

    @Test("failures of Apple's keys and endpoints") func appleFails() async throws {
        try await server.apple.fail(.keys)
        let growth = try await server.growth {
            let credential = try await server.apple.credentials()
            let answer = try await server.signIn(identityToken: credential.identityToken)
            #expect(answer.status == .serviceUnavailable)
        }
        #expect(growth["siwa_apple_key_fetches_total{outcome=\"failed\"}"] == 1)
        let answers = "siwa_apple_request_duration_seconds_count"
        #expect(growth["\(answers){endpoint=\"keys\",status=\"5xx\"}"] == 1)
        #expect(growth[Self.signIns("apple_native", "apple_keys_unavailable")] == 1)
    }

    @Test("sign-ins with passwords and codes, from programs and pages")
    func passwords() async throws {
        try await withPasswordServer { server in
            let growth = try await server.growth {
                _ = try await server.tokenOfNewAccount("maya")
                _ = try await server.signIn("maya")
                _ = try await server.signIn("maya", "not her password")
                let browser = TestBrowser(server)
                let form = [("username", "maya"), ("password", TestServer.password)]
                #expect(try await browser.post("/sign-in/password", form).status == .seeOther)
                _ = try await browser.post("/create-account", form)
                let code: JSONObject = [
                    "code": "x", "codeVerifier": "x", "redirectUri": "x:/", "clientId": "x",
                ]
                _ = try await server.postJSON("/api/sessions/code", code)
            }
            #expect(growth[Self.signIns("new_account", "ok")] == 1)
            #expect(growth[Self.signIns("new_account", "username_taken")] == 1)
            #expect(growth[Self.signIns("password", "ok")] == 2)
            #expect(growth[Self.signIns("password", "credentials_invalid")] == 1)
            #expect(growth[Self.signIns("app_code", "app_code_invalid")] == 1)
        }
    }

    @Test("sessions found in memory and in the store") func sessions() async throws {
        let token = try await server.token()
        let growth = try await server.growth {
            _ = try await server.get("/api/account", token)
            _ = try await server.get("/api/account", token)
            let stranger = String(repeating: "A", count: token.count)
            _ = try await server.get("/api/account", stranger)
        }
        #expect(growth["siwa_session_lookups_total{source=\"memory\"}"] == 2)
        #expect(growth["siwa_session_lookups_total{source=\"store\"}"] == 1)
    }

    @Test("requests that the limiter refuses") func limited() async throws {
        let trusted = try TrustedProxies(["127.0.0.1"])
        try await withAccountsServer({ $0.trustedProxies = trusted }, setup: .live) { server in
            var headers = HTTPFields.json
            headers[try #require(HTTPField.Name("X-Forwarded-For"))] = "203.0.113.7"
            let sent = headers
            let growth = try await server.growth {
                for _ in 0..<(RefusalLimiter.burst + 3) {
                    let path = "/api/sessions/apple"
                    _ = try await server.send(.post, path, sent, body: "{}")
                }
            }
            #expect(growth["siwa_http_limited_total"] == 3)
            #expect(growth[Self.requests("POST", "/api/sessions/apple", "4xx")] == 63)
        }
    }

    @Test("the store: queued writes, failures, and whether it is writable")
    func store() async throws {
        _ = try await server.send(.get, "/health/ready")
        let growth = try await server.growth { _ = try await server.token() }
        #expect((growth["siwa_sqlite_write_wait_seconds_count"] ?? 0) >= 1)
        let before = try await server.measurements()
        #expect(before["siwa_store_writable"] == 1)
        #expect(before.values["siwa_sqlite_writes_waiting"] == 0)
        try await server.setStore(isReadOnly: true)
        let failures = try await server.growth {
            let answer = try await server.signInNatively(
                try await server.apple.credentials(for: "noah@example.com")
            )
            #expect(answer.status == .serviceUnavailable)
        }
        let kinds = failures.filter { $0.key.hasPrefix("siwa_store_failures_total") }
        #expect(kinds.values.reduce(0, +) >= 1)
        try await server.setStore(isReadOnly: false)
    }

    @Test("the secrets that no key decrypts, when the server starts and once an hour")
    func secrets() async throws {
        let name = "siwa_undecryptable_secrets"
        try await waitUntil { try await server.measurements()[name] == 0 }
        try await server.store.signIn(SampleSignIn(refreshToken: "lost.AAAA"))
        try await waitUntil {
            if try await server.measurements()[name] == 1 { return true }
            server.apple.advance(by: .seconds(600))
            return false
        }
        #expect(server.log.text.contains("lost: 1 secret"))
    }

    @Test("the outbox: queued entries, their age, and the outcome of attempts")
    func outbox() async throws {
        try await withPasswordServer { server in
            let before = try await server.measurements()
            _ = try await server.tokenOfNewAccount("maya@example.com")
            let failed = "siwa_outbox_attempts_total{kind=\"awaited_mail\",outcome=\"failed\"}"
            try await waitUntil { try await server.measurements()[failed] != before[failed] }
            let waiting = "siwa_outbox_waiting{kind=\"awaited_mail\"}"
            try await waitUntil {
                if try await server.measurements()[waiting] != 0 { return true }
                server.apple.advance(by: .seconds(10))
                return false
            }
            let after = try await server.measurements()
            #expect(after["siwa_outbox_oldest_age_seconds{kind=\"awaited_mail\"}"] >= 10)
            #expect(after["siwa_outbox_waiting{kind=\"mail\"}"] == 0)
            #expect(after["siwa_outbox_waiting{kind=\"revocation\"}"] == 0)
            #expect(after["siwa_outbox_refused{kind=\"awaited_mail\"}"] == 0)
            let expired = "siwa_outbox_attempts_total{kind=\"awaited_mail\",outcome=\"expired\"}"
            server.apple.advance(by: .seconds(86_400))
            try await waitUntil {
                if try await server.measurements()[expired] == 1 { return true }
                server.apple.advance(by: .seconds(300))
                return false
            }
        }
    }

    @Test("the validation of refresh tokens") func validations() async throws {
        _ = try await server.token()
        server.apple.advance(by: .seconds(86_400))
        let valid = "siwa_refresh_validations_total{outcome=\"valid\"}"
        try await waitUntil {
            if try await server.measurements()[valid] == 1 { return true }
            server.apple.advance(by: .seconds(60))
            return false
        }
    }

    @Test("how late the oldest due validation is") func validationDelay() async throws {
        let delay = "siwa_refresh_validation_delay_seconds"
        try await withAccountsServer({ $0.validationsPerMinute = 1 }) { server in
            try await waitUntil { try await server.measurements()[delay] == 0 }
            for number in 0..<50 {
                let sample = SampleSignIn(
                    user: UserID("\(number)"),
                    refreshToken: "\(number)",
                    now: server.apple.now.addingTimeInterval(-2 * 86_400)
                )
                try await server.store.signIn(sample)
            }
            try await waitUntil {
                if try await server.measurements()[delay] >= 86_400 { return true }
                server.apple.advance(by: .seconds(10))
                return false
            }
        }
    }

    @Test("the process") func process() async throws {
        let measured = try await server.measurements()
        let start = server.apple.now.timeIntervalSince1970
        #expect(measured["process_start_time_seconds"] == start)
        #expect(measured.values.keys.contains { $0.hasPrefix("siwa_build_info{") })
        #if os(Linux)
            #expect(measured["process_resident_memory_bytes"] > 1_000_000)
            #expect(measured["process_open_fds"] > 3)
        #endif
    }
}
