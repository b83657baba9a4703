import AccountsSQLite
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import GRDB
import Hummingbird
import HummingbirdTesting
import Logging
import ServerTestSupport
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import Accounts
@testable import SignInKit

/// An app on a device, the accounts server that it speaks with, and Apple behind both.
struct AppWorld: Sendable {
    static let app: ClientID = "com.example.juice"
    /// A service of the team, which takes access tokens.
    static let service = "https://api.example.com"
    static let server = "https://juice.example.com"
    /// Where the app can be sent back to.
    static let ownScheme = "com.example.juice:/signed-in"
    static let link = "https://juice.example.com/app/signed-in"
    static let maya = "maya@example.com"
    static let noah = "noah@example.com"

    static let lending = Lending<AppWorld> { body in try await withApp(body) }

    let apple: TestApple
    let device: SimulatedDevice
    let transport: RouterTransport
    let credentials = MemoryCredentialStore()
    let accounts: AccountStore
    /// The device's clock, which need not be right.
    let time: ManualTime

    /// Launches the app: a client that knows nothing but what the store kept.
    func launch(
        server: String = Self.server,
        accessGroup: String? = nil,
        authorization: any AuthorizationService = SystemAuthorization(),
        credentials: (any CredentialStore)? = nil,
        transport: (any ServerTransport)? = nil,
        browser: (any BrowserSession)? = nil,
        log: KitLog = .system
    ) throws -> SignInClient {
        SignInClient(
            configuration: SignInConfiguration(
                server: try #require(URL(string: server)),
                deviceName: "Maya's phone",
                clientID: Self.app,
                accessGroup: accessGroup
            ),
            authorization: authorization,
            credentials: credentials ?? self.credentials,
            transport: transport ?? self.transport,
            browser: browser,
            time: time.source,
            log: log
        )
    }

    /// Launches the app, and waits until it has started.
    func launchStarted() async throws -> SignInClient {
        let client = try launch()
        await client.start()
        return client
    }

    /// Does the same for a user interface.
    @MainActor func startedSession() async throws -> SignInSession {
        let session = SignInSession(client: try launch())
        await session.start()
        return session
    }

    /// Launches the app and signs Maya in for the first time.
    func launchSignedIn() async throws -> SignInClient {
        let client = try await launchStarted()
        device.script(.continue())
        _ = try await client.signInWithApple()
        return client
    }

    /// Whether anything is kept in a record.
    func keeps(_ record: CredentialRecord) async throws -> Bool {
        try await credentials.read(record) != nil
    }

    /// The answers that the app keeps for the server.
    func registrations() async throws -> [PendingRegistration] {
        guard let data = try await credentials.read(.pendingRegistration) else { return [] }
        return try JSONDecoder().decode(PendingRegistrations.self, from: data).list
    }

    /// The accounts and live sessions that the server has.
    func counts() async throws -> Counts {
        try await accounts.queue.read { database in
            Counts(
                accounts: try Int.fetchOne(database, sql: "SELECT count(*) FROM accounts") ?? 0,
                sessions: try Int.fetchOne(database, sql: "SELECT count(*) FROM sessions") ?? 0
            )
        }
    }

    /// Makes the server's store refuse to write.
    func setServerStore(isReadOnly: Bool) async throws {
        try await accounts.queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA query_only = \(isReadOnly ? "ON" : "OFF")")
        }
    }

    /// Lets the app's background work go on whenever it waits, until something holds.
    func untilInTime(_ holds: @Sendable () async throws -> Bool) async throws {
        try await waitUntil {
            if try await holds() { return true }
            if time.sleeperCount > 0 { time.advance(bySeconds: 600) }
            return false
        }
    }
}

/// What the server has.
struct Counts: Hashable, Sendable {
    let accounts: Int
    let sessions: Int
}

/// Runs a test with an app on a device of its own, on which Maya is signed in by default.
func withApp(
    over setup: TestingSetup = .router,
    isSignedIn: Bool = true,
    _ body: @escaping @Sendable (AppWorld) async throws -> Void
) async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try await withAppleEmulator { apple in
        var configuration = try AccountsServerConfiguration(values: AppSettings.values(in: folder))
        configuration.apple = try apple.signInConfiguration()
        configuration.rules.passwordCost = .free
        let store = try AccountStore(
            SQLiteDatabase(path: folder.appending(path: "siwa.sqlite").path())
        )
        // A task that waits on the test's clock keeps the server, and must not keep its files open.
        defer { try? store.close() }
        let application = try buildAccountsServer(
            configuration: configuration,
            store: store,
            transport: apple.transport,
            time: apple.time.source,
            logger: .quiet,
            address: .hostname("127.0.0.1", port: 0)
        )
        let device = apple.device(app: AppWorld.app)
        if isSignedIn { try await device.signIn(email: AppWorld.maya, password: "apple") }
        try await application.test(setup) { client in
            let world = AppWorld(
                apple: apple,
                device: device,
                transport: RouterTransport(client),
                accounts: store,
                time: ManualTime(now: apple.time.now)
            )
            try await SimulatedDevice.$scoped.withValue(device) { try await body(world) }
        }
    }
}

enum AppSettings {
    /// Settings that a server starts with; the key file is written into the folder.
    static func values(in folder: URL) throws -> [String: String] {
        let redirects = [AppWorld.ownScheme, AppWorld.link].map { "\(AppWorld.app.rawValue)=\($0)" }
        let values = [
            "SIWA_APP_REDIRECTS": redirects.joined(separator: ","),
            "SIWA_TOKEN_AUDIENCES": AppWorld.service,
            "SIWA_SMTP_URL": "smtp://127.0.0.1:1", "SIWA_MAIL_FROM": "juice@example.com",
        ]
        return try TestSettings.values(in: folder).merging(values) { $1 }
    }
}

/// The kind of the error that a call throws; nil when it throws none.
func kind<Value>(of call: () async throws -> Value) async throws -> SignInKitError.Kind? {
    do {
        _ = try await call()
        return nil
    } catch let error as SignInKitError {
        return error.kind
    }
}
