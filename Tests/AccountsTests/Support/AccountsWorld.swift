import Accounts
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import GRDB
import HTTPTypes
import Logging
import SignInWithApple

/// An accounts service on an SQLite file, with an emulated Apple, on one clock.
struct AccountsWorld {
    let apple: TestApple
    let folder: TemporaryFolder
    let sqlite: SQLiteAccountStore
    let log = RecordedLog()
    let sealer: TokenSealer
    var configuration = AccountsConfiguration()

    static let redirectURI = "https://juice.example.com/sign-in/apple/callback"
    static let servicesID: ClientID = "com.example.juice.web"

    var time: ManualTime { apple.time }

    var logger: Logger { log.logger }

    static func with<Answer>(
        _ body: (AccountsWorld) async throws -> Answer
    ) async throws -> Answer {
        try await TemporaryFolder.with { folder in
            try await withAppleEmulator { apple in
                let store = try SQLiteAccountStore(path: folder.databasePath, busyTimeout: 0)
                let world = AccountsWorld(
                    apple: apple,
                    folder: folder,
                    sqlite: store,
                    sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
                )
                let answer = try await body(world)
                try store.close()
                return answer
            }
        }
    }

    /// The service; who watches is told of each answer of Apple before the service has it.
    func service(
        watching: (@Sendable (_ path: String, _ body: Data) async throws -> Void)? = nil,
        revocationSignal: Signal? = nil
    ) throws -> AccountsService {
        AccountsService(
            store: sqlite,
            apple: try signIn(watching: watching ?? { _, _ in }),
            sealer: sealer,
            configuration: configuration,
            time: time.source,
            logger: logger,
            revocationSignal: revocationSignal
        )
    }

    private func signIn(
        watching: @escaping @Sendable (_ path: String, _ body: Data) async throws -> Void
    ) throws -> AppleSignIn {
        let transport = AppleTransport { [transport = apple.transport] request, body in
            let answer = try await transport.send(request, body: body)
            try await watching(request.path ?? "", answer.1)
            return answer
        }
        return AppleSignIn(
            configuration: try apple.signInConfiguration(),
            transport: transport,
            time: time.source
        )
    }

    func makeReadOnly(_ isReadOnly: Bool) async throws {
        try await sqlite.queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA query_only = \(isReadOnly ? 1 : 0)")
        }
    }

    func worker(signal: Signal = Signal()) throws -> RevocationWorker {
        RevocationWorker(
            store: sqlite,
            apple: try apple.signIn(),
            sealer: sealer,
            signal: signal,
            time: time.source,
            logger: logger
        )
    }

    /// What an app sends after the sheet.
    func nativeRequest(
        for email: String = "maya@example.com",
        nonce: String? = nil,
        hidesEmail: Bool = false,
        name: PersonName? = nil,
        device: String = "Maya's phone"
    ) async throws -> NativeSignIn {
        let credential = try await apple.credentials(
            for: email,
            nonce: nonce,
            hidesEmail: hidesEmail,
            name: name
        )
        return NativeSignIn(
            identityToken: credential.identityToken,
            authorizationCode: credential.authorizationCode,
            nonce: nonce,
            fullName: credential.fullName,
            device: device
        )
    }

    /// What a server has after the browser posted Apple's form back.
    func webRequest(
        nonce: String,
        isContinuing: Bool = true,
        name: PersonName? = nil
    ) async throws -> WebSignIn {
        let url = try apple.signIn().authorizationURL(
            clientID: Self.servicesID,
            redirectURI: Self.redirectURI,
            scopes: [.name, .email],
            state: "state",
            nonce: nonce
        )
        let form = try await apple.authorize(url, isContinuing: isContinuing, name: name)
        return WebSignIn(
            callback: try AuthorizationCallback(formBody: form.formBody),
            nonce: nonce,
            redirectURI: Self.redirectURI,
            servicesID: Self.servicesID,
            device: "Maya's browser"
        )
    }

    /// The statuses Apple answered to requests of one path.
    func statuses(of path: String) async -> [Int] {
        await apple.emulator.requests()
            .filter { $0["path"]?.stringValue == path }
            .compactMap { $0["status"]?.integerValue }
    }

    func signedIn(_ receipt: SignInReceipt, in service: AccountsService) async -> Bool {
        (try? await service.authenticate(receipt.token.text)) != nil
    }
}
