import Accounts
import AccountsSQLite
import AccountsServer
import AppleEmulatorTesting
import Foundation
import GRDB
import HTTPTypes
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import PrometheusMetrics
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

/// The accounts server on a SQLite file, with an emulator of Apple.
struct TestServer: Sendable {
    static let publicURL = TestSettings.publicURL

    let client: any TestClientProtocol
    let apple: TestApple
    let store: AccountStore
    let log: LogRecorder
    let sealer: TokenSealer
    let metrics: PrometheusMetrics

    /// Lets the store refuse to write, as on a full disk or a read-only file.
    func setStore(isReadOnly: Bool) async throws {
        try await store.queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA query_only = \(isReadOnly ? "ON" : "OFF")")
        }
    }

    /// The number of rows of a table.
    func count(_ table: String) async throws -> Int {
        try await store.queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> TestResponse {
        try await client.execute(
            uri: path,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        )
    }
}

extension TestServer {
    /// A server for each test of a suite.
    static let lending = Lending { body in try await withAccountsServer { try await body($0) } }
    /// A server that sends email for each test of a suite.
    static let lendingWithMail = Lending { body in
        try await withPasswordServer { try await body($0) }
    }
}

extension Lending<TestServer> {
    /// The server of the current test, and a browser without a session.
    var lent: (TestServer, TestBrowser) {
        get throws {
            let server = try value
            return (server, TestBrowser(server))
        }
    }
}

/// Runs the accounts server with fast password hashing while the body runs.
func withAccountsServer(
    _ change: (inout AccountsServerConfiguration) throws -> Void = { _ in },
    host: String = "juice.example.com",
    setup: TestingSetup = .router,
    wrapping: (AccountStore) -> AccountStore = { $0 },
    reaching: (AppleTransport) -> AppleTransport = { $0 },
    hasher: PasswordHasher? = nil,
    _ body: @escaping @Sendable (TestServer) async throws -> Void
) async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try await withAppleEmulator { apple in
        var configuration = try AccountsServerConfiguration(values: TestSettings.values(in: folder))
        configuration.apple = try apple.signInConfiguration()
        configuration.rules.passwordCost = .free
        try change(&configuration)
        let metrics = PrometheusMetrics(descriptions: MetricsCatalogue.descriptions)
        let store = try AccountStore(
            SQLiteDatabase(
                path: folder.appending(path: "siwa.sqlite").path(),
                metrics: metrics
            )
        )
        // A task that waits on the test's clock keeps the server, and must not keep its files open.
        defer { try? store.close() }
        let log = LogRecorder()
        let sealer = configuration.sealer
        let application = try buildAccountsServer(
            configuration: configuration,
            store: wrapping(store),
            transport: reaching(apple.transport),
            time: apple.time.source,
            metrics: .prometheus(metrics),
            logger: log.logger,
            address: .hostname("127.0.0.1", port: 0),
            hasher: hasher
        )
        try await HostedApplication(base: application, host: host).test(setup) { client in
            let server = TestServer(
                client: client,
                apple: apple,
                store: store,
                log: log,
                sealer: sealer,
                metrics: metrics
            )
            try await body(server)
        }
    }
}
