import AccountsSQLite
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ServerTestSupport
import SignInKit
import SignInWithApple
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import Accounts
@testable import JuiceApp

/// An app on a device, an accounts server and an Apple, in one process.
@MainActor struct JuiceWorld: Sendable {
    nonisolated static let lending = Lending<JuiceWorld> { body in try await withJuice(body) }

    let apple: TestApple
    let device: SimulatedDevice
    let transport: RouterTransport
    let credentials = MemoryCredentialStore()
    /// The device's clock.
    let clock = ManualTime()

    /// The same device with nothing kept, as after the app was installed anew.
    var reinstalled: JuiceWorld { JuiceWorld(apple: apple, device: device, transport: transport) }

    /// Starts the app; again with what is kept, as after the process has ended.
    func launch(browser: (any BrowserSession)? = nil) async -> JuiceModel {
        let client = SignInClient(
            configuration: SignInConfiguration(
                server: RouterTransport.server,
                deviceName: "Test device",
                clientID: device.app
            ),
            authorization: SystemAuthorization(),
            credentials: credentials,
            transport: transport,
            time: clock.source
        )
        let model = JuiceModel(session: SignInSession(client: client), browser: browser)
        await model.start()
        return model
    }

    /// Starts the app for a person who dismisses what is offered at once.
    func launchWithoutApple() async -> JuiceModel {
        device.script(.cancel)
        return await launch()
    }

    /// Starts the app and signs in with Apple for the first time.
    func launchSignedIn() async throws -> JuiceModel {
        let model = await launch()
        device.script(.continue())
        await model.signInWithApple()
        return model
    }

    /// Stops the server, or starts it again.
    func setServer(isDown: Bool) { transport.isDown.withLock { $0 = isDown } }

    /// Runs an action that tries a server in vain, and moves the clock whenever it waits in between.
    func movingTime(_ action: () async -> Void) async {
        let mover = Task { [clock] in
            while !Task.isCancelled {
                if clock.sleeperCount > 0 { clock.advance(bySeconds: 5) }
                await Task.yield()
            }
        }
        await action()
        mover.cancel()
    }

    /// How often the server got Apple's answer.
    var registrationCount: Int {
        transport.delivered.withLock { $0.count { $0 == "POST /api/sessions/apple" } }
    }

    /// Waits until the server's revocation has reached Apple, which happens after the answer.
    ///
    /// A person takes longer to press the button again; a code that Apple gave before is refused.
    func untilAppleHasRevoked() async throws {
        try await waitUntil { try await device.apps().isEmpty }
    }
}

/// Runs a test with an app on a device on which Maya is signed in.
@MainActor func withJuice(
    isSignedIn: Bool = true,
    _ body: @escaping @MainActor @Sendable (JuiceWorld) async throws -> Void
) async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let apple = try await withAppleEmulator { @Sendable in $0 }
    let device = apple.device()
    if isSignedIn { try await device.signIn(email: "maya@example.com", password: "apple") }
    let store = try AccountStore(SQLiteDatabase(path: folder.appending(path: "siwa.sqlite").path()))
    // A task that waits on the test's clock keeps the server, and must not keep its files open.
    defer { try? store.close() }
    let application = try server(store, in: folder, apple)
    try await application.test(.router) { client in
        try await SimulatedDevice.$scoped.withValue(device) {
            let transport = RouterTransport(client: client)
            try await body(JuiceWorld(apple: apple, device: device, transport: transport))
        }
    }
}

private func server(
    _ store: AccountStore,
    in folder: URL,
    _ apple: TestApple
) throws -> some ApplicationProtocol {
    var configuration = try AccountsServerConfiguration(values: TestSettings.values(in: folder))
    configuration.apple = try apple.signInConfiguration()
    configuration.rules.passwordCost = .free
    return try buildAccountsServer(
        configuration: configuration,
        store: store,
        transport: apple.transport,
        time: apple.time.source,
        logger: .quiet,
        address: .hostname("127.0.0.1", port: 0)
    )
}

/// Carries requests to the server's router, without a socket.
struct RouterTransport: ServerTransport {
    static let server = URL(string: "https://juice.example.com") ?? URL(filePath: "/")

    let client: any TestClientProtocol
    /// Whether the server is down.
    let isDown = LockedValue(false)
    /// The requests that reached the server, as `POST /path`.
    let delivered = LockedValue<[String]>([])

    func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        guard !isDown.withLock(\.self) else { throw .unreachable("the server is down") }
        delivered.withLock { $0.append("\(request.method) \(request.url.path())") }
        do {
            let response = try await client.execute(
                uri: request.url.path() + (request.url.query().map { "?" + $0 } ?? ""),
                method: HTTPRequest.Method(request.method) ?? .get,
                headers: HTTPFields(
                    request.headers.compactMap { name, value in
                        HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
                    }
                ),
                body: request.body.map { ByteBuffer(bytes: $0) }
            )
            let headers = response.headers.map { ($0.name.rawName, $0.value) }
            return ServerAnswer(
                status: response.status.code,
                headers: Dictionary(headers) { $1 },
                body: Data(response.body.readableBytesView)
            )
        } catch {
            throw .unreachable("\(error)")
        }
    }
}
