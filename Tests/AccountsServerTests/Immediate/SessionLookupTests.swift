import Accounts
import AccountsSQLite
import AppleEmulatorTesting
import AppleIdentity
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import AccountsServer

@Suite("A session check on a store that answers without a task", .timeLimit(.minutes(1)))
struct SessionLookupTests {
    private static let source = "siwa_session_lookups_total{source=\"store\"}"
    private static let requests =
        #"siwa_http_requests_total{method="GET",route="/api/account",status="#
    private static let seconds =
        #"siwa_http_request_duration_seconds_sum{method="GET",route="/api/account"}"#

    /// The store is asked on the connection only where the path is all of it.
    private static let usualPath = "/api/account?usual"

    private let lookups = HeldLookups()
    private let wrapped = WrappedStore()

    @Test("gets the same answer as on the usual way, is counted once, and takes as long as it took")
    func same() async throws {
        try await withServer { server in
            let token = try await server.token()
            let usual = try await server.send(.get, Self.usualPath, headers: .bearer(token))
            let growth = try await server.growth {
                let answer = try await check(token, server) {
                    server.apple.time.advance(bySeconds: 2)
                    let found = try await session(token, server)
                    return { found }
                }
                #expect(answer.status == .ok)
                expectSame(answer, usual)
            }
            #expect(growth[Self.source] == 1)
            #expect(growth[Self.requests + #""2xx"}"#] == 1)
            #expect(growth[Self.seconds] == 2)
            let lines = server.log.text.split(separator: "\n").filter {
                $0.contains(" request ") && $0.contains("/api/account")
            }
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains("127.0.0.1") && $0.contains("200") })
        }
    }

    @Test("is refused as on the usual way when the session has expired meanwhile")
    func expired() async throws {
        try await withServer { server in
            let token = try await server.token()
            let growth = try await server.growth {
                let answer = try await check(token, server) {
                    let found = try await session(token, server)
                    server.apple.time.advance(bySeconds: 15 * 86_400)
                    return { found }
                }
                #expect(answer.status == .unauthorized)
                #expect(answer.code == "session_invalid")
                let usual = try await server.send(.get, Self.usualPath, headers: .bearer(token))
                expectSame(answer, usual)
            }
            #expect(growth[Self.source] == 2)
            #expect(growth[Self.requests + #""4xx"}"#] == 2)
        }
    }

    @Test("gets the same 503 as on the usual way when the store fails, and says so in the log")
    func failed() async throws {
        try await withServer { server in
            let token = try await server.token()
            let growth = try await server.growth {
                let answer = try await check(token, server) {
                    { () throws(AccountStoreError) in
                        throw AccountStoreError(.unavailable, hint: "told to be unavailable")
                    }
                }
                #expect(answer.status == .serviceUnavailable)
                #expect(answer.code == "store_unavailable")
                try wrapped.store.watch(
                    StoreFault(method: .session, number: 1, kind: .unavailable)
                )
                let usual = try await server.send(.get, Self.usualPath, headers: .bearer(token))
                expectSame(answer, usual)
            }
            #expect(growth[#"siwa_store_failures_total{kind="unavailable"}"#] == 2)
            #expect(growth[Self.requests + #""5xx"}"#] == 2)
            for message in [" the store failed ", " refused "] {
                let lines = server.log.text.split(separator: "\n").filter { $0.contains(message) }
                #expect(lines.count == 2)
                #expect(lines.allSatisfy { $0.contains("127.0.0.1") }, "\(lines)")
            }
        }
    }

    @Test("has the use of the session written down")
    func use() async throws {
        try await withServer { server in
            let token = try await server.token()
            let before = try #require(try await session(token, server))
            server.apple.time.advance(bySeconds: 3_601)
            let now = server.apple.time.now.inWholeMicroseconds
            _ = try await check(token, server) { { before } }
            try await waitUntil {
                if try await session(token, server)?.session.lastUsedAt == now { return true }
                server.apple.time.advance(bySeconds: 5)
                return false
            }
        }
    }

    private func withServer(
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await withAccountsServer(
            setup: .live,
            wrapping: { wrapped.wrap($0, lookups) },
            body
        )
    }

    /// Asks, and has the store answer then.
    private func check(
        _ token: String,
        _ server: TestServer,
        _ answer: () async throws -> SessionAnswer
    ) async throws -> TestResponse {
        async let response = server.send(.get, "/api/account", headers: .bearer(token))
        try await lookups.wait()
        lookups.give(try await answer())
        return try await response
    }

    private func session(_ token: String, _ server: TestServer) async throws -> SignedInSession? {
        let hash = try #require(SessionToken(token)).hash
        return try await server.store.session(tokenHash: hash, now: server.apple.time.now)
    }

    private func expectSame(_ answer: TestResponse, _ usual: TestResponse) {
        #expect(answer.status == usual.status)
        #expect(answer.text == usual.text)
        #expect(fields(answer) == fields(usual))
    }

    /// The fields of an answer but its time, which the two ways take from different clocks.
    private func fields(_ answer: TestResponse) -> [String] {
        answer.headers.filter { $0.name != .date }.map { "\($0.name): \($0.value)" }.sorted()
    }
}

/// Keeps hold of the store that a server was given.
private final class WrappedStore: Sendable {
    private let wrapped = Mutex<FailingStore?>(nil)

    var store: FailingStore {
        get throws { try #require(wrapped.withLock { $0 }) }
    }

    func wrap(_ store: any AccountStore, _ lookups: HeldLookups) -> FailingStore {
        let failing = FailingStore(store, lookups: lookups)
        wrapped.withLock { $0 = failing }
        return failing
    }
}
