import Accounts
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import GRDB
import Logging
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

/// An accounts service on an SQLite file, with an emulated Apple, on one clock.
struct AccountsWorld {
    let apple: TestApple
    let folder: URL
    let sqlite: AccountStore
    let log: LogRecorder
    let uses = SessionUseBuffer()
    let readiness = StoreReadiness()
    let sealer: TokenSealer
    var configuration = AccountsConfiguration()

    static let redirectURI = "https://juice.example.com/sign-in/apple/callback"
    static let servicesID: ClientID = "com.example.juice.web"

    var time: ManualTime { apple.time }

    var logger: Logger { log.logger }

    /// A world for each test of a suite.
    static let lending = Lending { body in try await with(body) }

    /// The world of the test that runs, and its service.
    static var lent: (AccountsWorld, AccountsService) {
        get throws {
            let world = try lending.value
            return (world, world.service())
        }
    }

    /// The same where hashing a password takes no time, and mail is offered.
    static var lentWithPasswords: (AccountsWorld, AccountsService) {
        get throws {
            let world = try lending.value.withPasswords()
            return (world, world.service())
        }
    }

    private static func with(_ body: (AccountsWorld) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            var seed = Seed.demo()
            seed.teams.append(SeedTeam(teamID: "OTHERTEAM1"))
            try await withAppleEmulator(seed: seed) { apple in
                let log = LogRecorder()
                let store = try AccountStore(
                    SQLiteDatabase(
                        path: folder.databasePath,
                        busyTimeout: 0,
                        time: apple.time.source,
                        logger: log.logger
                    )
                )
                let world = AccountsWorld(
                    apple: apple,
                    folder: folder,
                    sqlite: store,
                    log: log,
                    sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
                )
                try await body(world)
                try store.close()
            }
        }
    }

    func service(
        outboxSignal: Signal? = nil,
        hasher: PasswordHasher? = nil
    ) -> AccountsService {
        AccountsService(
            store: sqlite,
            sealer: sealer,
            configuration: configuration,
            uses: uses,
            readiness: readiness,
            time: time.source,
            logger: logger,
            outboxSignal: outboxSignal,
            hasher: hasher
        )
    }

    /// A service of another replica, with other keys.
    func service(sealing keys: String) throws -> AccountsService {
        AccountsService(
            store: sqlite,
            sealer: try TokenSealer(keys: keys),
            time: time.source,
            logger: logger
        )
    }

    func maintenance(schedule: MaintenanceSchedule = MaintenanceSchedule()) -> MaintenanceService {
        service().maintenance(schedule: schedule)
    }

    func makeReadOnly(_ isReadOnly: Bool) async throws {
        try await sqlite.queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA query_only = \(isReadOnly ? 1 : 0)")
        }
    }

    func worker(
        on store: AccountStore? = nil,
        sealer: TokenSealer? = nil,
        signal: Signal = Signal(),
        mail: MailSender? = nil
    ) throws -> OutboxWorker {
        OutboxWorker(
            store: store ?? sqlite,
            apple: try apple.signIn(),
            mail: mail,
            sealer: sealer ?? self.sealer,
            signal: signal,
            time: time.source,
            randomUnit: { 0 },
            logger: logger
        )
    }

    /// What the routes have verified of an app's request.
    func nativeRequest(
        of apple: AppleSignIn? = nil,
        for email: String = "maya@example.com",
        nonce: String? = nil,
        hidesEmail: Bool = false,
        name: PersonName? = nil,
        from nonceOrigin: NonceOrigin = .serverOrApp
    ) async throws -> SignInRequest {
        let credential = try await self.apple.credentials(
            for: email,
            nonce: nonce,
            hidesEmail: hidesEmail,
            name: name
        )
        let apple = try apple ?? self.apple.signIn()
        let identity = try await apple.verify(
            credential.identityToken,
            expecting: IdentityTokenExpectation(nonce: nonce.map { .raw($0) } ?? .absent)
        )
        return SignInRequest(
            apple: apple,
            identity: identity,
            identityToken: credential.identityToken,
            nonce: nonce,
            nonceOrigin: nonceOrigin,
            name: credential.fullName,
            client: ClientDescription(device: "Maya's phone"),
            code: credential.authorizationCode
        )
    }

    /// What the routes have verified of a browser's request.
    func webRequest(name: PersonName? = nil) async throws -> SignInRequest {
        let signIn = try apple.signIn()
        let start = signIn.beginWebSignIn(
            clientID: Self.servicesID,
            redirectURI: Self.redirectURI
        )
        let form = try await apple.authorize(start.authorizationURL, name: name)
        let verified = try await signIn.finishWebSignIn(
            AuthorizationCallback(formBody: form.formBody),
            pending: start.pending
        )
        let web = try #require(verified)
        return SignInRequest(
            apple: signIn,
            identity: web.identity,
            identityToken: web.identityToken,
            nonce: web.nonce,
            nonceOrigin: .webSignIn,
            name: web.name,
            client: ClientDescription(device: "Maya's browser"),
            code: web.code,
            redirectURI: web.redirectURI,
            codeVerifier: web.codeVerifier
        )
    }

    /// The state of the link between Maya and the app at Apple.
    func stateAtApple() async throws -> String {
        try await apple.emulator.credentialState(
            of: "maya@example.com",
            clientID: "com.example.juice"
        )
    }

    /// The statuses Apple answered to requests of one path.
    func statuses(of path: String) async -> [Int] {
        await apple.emulator.requests()
            .filter { $0["path"]?.stringValue == path }
            .compactMap { $0["status"]?.integerValue }
    }

    /// The same once there are so many; a deadline of a request sleeps on the clock too, and tells nothing about its end.
    func statuses(of path: String, count: Int) async throws -> [Int] {
        var found: [Int] = []
        try await waitUntil {
            found = await statuses(of: path)
            return found.count >= count
        }
        return found
    }

    func signedIn(_ receipt: SignInReceipt, in service: AccountsService) async -> Bool {
        (try? await service.session(token: receipt.token.text)) != nil
    }
}

/// A verified sign-in, and the Apple that redeems its code.
struct SignInRequest: Sendable {
    let apple: AppleSignIn
    let identity: VerifiedIdentity
    let identityToken: String
    var nonce: String?
    let nonceOrigin: NonceOrigin
    let name: PersonName?
    var client: ClientDescription
    var code: String?
    var redirectURI: String?
    var codeVerifier: String?

    func redeem() async throws -> AppleGrant? {
        guard let code else { return nil }
        return try await apple.exchange(
            code: code,
            clientID: identity.clientID,
            redirectURI: redirectURI,
            codeVerifier: codeVerifier
        )
    }
}

extension AccountsService {
    func rename(_ session: Session, to name: String?) async throws(AccountsError) -> Account {
        try await changeProfile(ProfileChange(name: .whole(name)), requestedBy: session)
    }

    /// All steps in their order.
    func signIn(_ request: SignInRequest) async throws -> SignInReceipt {
        let check = try check(request)
        try await beforeExchange(check)
        return try await onSignIn(check, grant: try await request.redeem())
    }

    func check(_ request: SignInRequest) throws(AccountsError) -> SignInCheck {
        try check(
            request.identity,
            request.identityToken,
            nonce: request.nonce,
            from: request.nonceOrigin,
            name: request.name,
            client: request.client
        )
    }
}
