import Accounts
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MailTransport
import NIOCore
import PrometheusMetrics
import ServerTestSupport
import SignInWithApple
import Synchronization
import TestSupport
import Testing

@testable import AccountsServer

/// The accounts server on a database that fails at a given call.
///
/// The background services are not started: a test runs each part when it needs it.
struct FaultWorld: Sendable {
    static let email = "maya@example.com"
    static let introspectionCredentials = "orders:" + String(repeating: "s", count: 32)
    static let name = PersonName(givenName: "Maya", familyName: "Ek")

    let server: TestServer
    let failing: FailingDatabase
    let accounts: AccountsService
    let administration: any TestClientProtocol
    let inbox: FaultInbox
    let worker: OutboxWorker
    let validation: TokenValidationService
    let maintenance: MaintenanceService
    let sampler: MetricsSampler
    let folder: URL

    var apple: TestApple { server.apple }

    static func with<Answer: Sendable>(
        _ body: @escaping @Sendable (FaultWorld) async throws -> Answer
    ) async throws -> Answer {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await withAppleEmulator { apple in
            let parts = try FaultParts(apple, in: folder)
            defer { try? parts.store.close() }
            let routes = AdministrationRoutes(accounts: parts.accounts, time: apple.time.source)
            let application = Application(router: try parts.server.routing().router)
            return try await HostedApplication(base: application).test(.router) {
                client in
                try await Application(router: routes.router()).test(.router) { administration in
                    try await body(parts.world(client, administration, in: folder))
                }
            }
        }
    }

    /// Sends a request like an administrator's command.
    func administer(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ content: JSONObject? = nil
    ) async throws -> TestResponse {
        try await administration.executeRequest(
            uri: path,
            method: method,
            headers: .json,
            body: content.map { ByteBuffer(string: JSONValue.object($0).text) }
        )
    }

    /// Lets Maya stop using the app at Apple.
    func stopUsing() async throws {
        try await apple.emulator.stopUsing(Self.email, clientID: "com.example.juice")
    }

    /// The state of the link between Maya and the app at Apple.
    func appleState() async throws -> String {
        try await apple.emulator.credentialState(of: Self.email, clientID: "com.example.juice")
    }
}

/// Accepts all email, except to relay addresses while forwarding is off.
final class FaultInbox: Sendable {
    private let mails = Mutex<[OutboxID: MailOrder]>([:])
    let isForwarding = LockedValue(true)

    /// The delivered emails; one that was sent twice counts once.
    var orders: [MailOrder] { mails.withLock { Array($0.values) } }

    var sender: MailSender {
        MailSender { [self] order, id throws(MailFailure) in
            guard isForwarding.withLock(\.self) || !order.address.contains("@privaterelay.") else {
                throw MailFailure("smtp_550", isRetryable: false, hint: "", refusesRecipient: true)
            }
            mails.withLock { $0[id] = order }
        }
    }
}

/// The parts of a server, built as the program does.
private struct FaultParts {
    let store: AccountStore
    let failing: FailingDatabase
    let accounts: AccountsService
    let server: ServerParts
    let appleSignIn: AppleSignIn
    let apple: TestApple
    let logger = Logger.quiet

    init(_ apple: TestApple, in folder: URL) throws {
        var configuration = try AccountsServerConfiguration(values: TestSettings.values(in: folder))
        configuration.apple = try apple.signInConfiguration()
        configuration.rules.passwordCost = .free
        configuration.tokenAudiences = try TokenAudiences(["orders"])
        configuration.introspectionSecrets = try IntrospectionSecrets([
            FaultWorld.introspectionCredentials
        ])
        configuration.mail = MailSettings(
            server: try SMTPServer("smtp://127.0.0.1:9"),
            sender: try Mailbox("no-reply@juice.example.com")
        )
        self.apple = apple
        let file = folder.appending(path: "siwa.sqlite")
        try Self.emptyDatabase.get().write(to: file)
        store = try AccountStore(SQLiteDatabase(path: file.path()))
        failing = FailingDatabase(store.database)
        appleSignIn = AppleSignIn(
            configuration: configuration.apple,
            transport: apple.transport,
            time: apple.time.source
        )
        accounts = AccountsService(
            store: AccountStore(failing),
            sealer: configuration.sealer,
            configuration: configuration.completeRules,
            time: apple.time.source,
            logger: logger
        )
        server = try ServerParts(
            configuration: configuration,
            accounts: accounts,
            apple: appleSignIn,
            time: apple.time.source,
            metrics: .system
        )
    }

    /// A database without rows, because creating the tables each time takes longer than most tests.
    private static let emptyDatabase = Result {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "siwa.sqlite")
        try SQLiteDatabase(path: file.path()).close()
        return try Data(contentsOf: file)
    }

    func world(
        _ client: any TestClientProtocol,
        _ administration: any TestClientProtocol,
        in folder: URL
    ) -> FaultWorld {
        let inbox = FaultInbox()
        let sealer = server.configuration.sealer
        return FaultWorld(
            server: TestServer(
                client: client,
                apple: apple,
                store: store,
                log: LogRecorder(),
                sealer: sealer,
                metrics: PrometheusMetrics()
            ),
            failing: failing,
            accounts: accounts,
            administration: administration,
            inbox: inbox,
            worker: OutboxWorker(
                store: AccountStore(failing),
                apple: appleSignIn,
                mail: inbox.sender,
                sealer: sealer,
                time: apple.time.source,
                logger: logger
            ),
            validation: TokenValidationService(
                store: AccountStore(failing),
                apple: appleSignIn,
                sealer: sealer,
                time: apple.time.source,
                randomUnit: { 0 },
                logger: logger
            ),
            maintenance: accounts.maintenance(),
            sampler: server.sampler,
            folder: folder
        )
    }
}
