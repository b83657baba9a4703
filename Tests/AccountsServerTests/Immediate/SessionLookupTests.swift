import Accounts
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import AccountsSQLite
@testable import AccountsServer

@Suite("A session check over HTTP", .timeLimit(.minutes(1)))
struct SessionLookupTests {
    private static let lookups = "siwa_session_lookups_total"
    private static let path = "/api/account"
    /// Memory is used only for the exact path.
    private static let ordinaryPath = "/api/account?ordinary"

    @Test("in memory has the text, header fields, measures and log line of an ordinary one")
    func same() async throws {
        try await withAccountsServer(setup: .live) { server in
            let token = try await server.token()
            var answers: [TestResponse] = []
            var measures: [[String: Double]] = []
            for path in [Self.path, Self.ordinaryPath] {
                let growth = try await server.growth {
                    answers.append(try await server.get(path, token))
                }
                measures.append(growth.filter { $0.key.contains("/api/account") })
                #expect(growth[Self.lookups + #"{source="memory"}"#] == 1)
            }
            #expect(answers.map(\.status) == [.ok, .ok])
            #expect(answers[0].text == answers[1].text)
            #expect(fields(answers[0]) == fields(answers[1]))
            #expect(answers.allSatisfy { $0.headers[.date] != nil })
            #expect(!measures[0].isEmpty)
            #expect(measures[0] == measures[1])
            let lines = server.log.text.split(separator: "\n").filter {
                $0.contains(" request ") && $0.contains("/api/account")
            }
            #expect(lines.count == 2)
            for word in ["127.0.0.1", "hb.request.id", "200"] {
                #expect(lines.allSatisfy { $0.contains(word) }, "\(lines)")
            }
        }
    }

    @Test("reads the store when memory has no session, and not when it has one")
    func source() async throws {
        try await withAccountsServer(setup: .live) { server in
            let token = try await server.token()
            server.store.sqlite.cache.forgetAll()
            for source in ["store", "memory"] {
                let growth = try await server.growth {
                    let answer = try await server.get(Self.path, token)
                    #expect(answer.status == .ok)
                }
                let counted = growth.filter { $0.key.hasPrefix(Self.lookups) }
                #expect(counted == [Self.lookups + "{source=\"\(source)\"}": 1])
            }
        }
    }

    @Test("is refused when the session in memory has expired")
    func expired() async throws {
        try await withAccountsServer(setup: .live) { server in
            let token = try await server.token()
            server.apple.time.advance(bySeconds: 61 * 86_400)
            expectRefusal(try await server.get(Self.path, token), .unauthorized, "session_invalid")
        }
    }

    @Test("records the use of the session")
    func use() async throws {
        try await withAccountsServer(setup: .live) { server in
            let token = try await server.token()
            let hash = try #require(SessionToken(token)).hash
            server.apple.time.advance(bySeconds: 3_601)
            let now = server.apple.time.now.inWholeMicroseconds
            _ = try await server.get(Self.path, token)
            try await waitUntil {
                let found = try await server.store.session(tokenHash: hash, now: now)
                if found?.session.lastUsedAt == now { return true }
                server.apple.time.advance(bySeconds: 5)
                return false
            }
        }
    }

    @Test("is answered on the connection only where the store has sessions in memory")
    func stores() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = try AccountsServerConfiguration(values: TestSettings.values(in: folder))
        let file = try SQLiteDatabase(path: folder.appending(path: "siwa.sqlite").path())
        let databases: [any SQLDatabase] = [file, FailingDatabase(file)]
        let immediate = try databases.map { database in
            try ServerParts(
                configuration: configuration,
                accounts: AccountsService(
                    store: AccountStore(database),
                    sealer: configuration.sealer,
                    logger: .quiet
                ),
                apple: AppleSignIn(configuration: configuration.apple),
                time: .live,
                metrics: .system
            ).routing().immediate?.path
        }
        #expect(immediate == [Self.path, nil])
        try file.close()
    }

    /// The header fields of a response except the date, which the two routes take from different
    /// clocks.
    private func fields(_ answer: TestResponse) -> [String] {
        answer.headers.filter { $0.name != .date }.map { "\($0.name): \($0.value)" }.sorted()
    }
}
