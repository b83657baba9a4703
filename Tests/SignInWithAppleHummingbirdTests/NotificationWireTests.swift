import AppleEmulator
import AppleEmulatorServer
import AppleEmulatorTesting
import AppleIdentity
import Hummingbird
import HummingbirdTesting
import Logging
import SignInWithApple
import SignInWithAppleHummingbird
import Testing

@Suite("What Apple posts by itself, over the network") struct NotificationWireTests {
    private static let person = "maya@example.com"
    private static let client = "com.example.pear"

    @Test("reaches a Hummingbird app as soon as a person stops using it")
    func stopUsing() async throws {
        let (events, sink) = AsyncStream.makeStream(of: NotificationEvent.self)
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn(
                clientIDs: [ClientID(rawValue: Self.client)],
                teamID: apple.seed.teams.first?.teamID
            )
            let router = Router()
                .signInWithAppleNotifications(signIn, at: "apple/notifications") {
                    notification,
                    _ in
                    sink.yield(notification.event)
                }
            try await Application(router: router).test(.live) { server in
                let user = try await introduce(apple, port: try #require(server.port))
                let event = try await withSender(apple.emulator) {
                    try await apple.emulator.stopUsing(Self.person, clientID: Self.client)
                    return await events.first { _ in true }
                }
                #expect(event?.kind == .consentRevoked)
                #expect(event?.subject == user)
            }
        }
    }

    /// Registers an app whose server listens on this port, and has a person sign in to it.
    private func introduce(_ apple: TestApple, port: Int) async throws -> UserID {
        _ = try await apple.emulator.add(
            .app,
            [
                "client_id": .string(Self.client),
                "team_id": .string(try #require(apple.seed.teams.first).teamID.rawValue),
                "notification_url": .string("http://localhost:\(port)/apple/notifications"),
            ]
        )
        return try await apple.credentials(
            for: Self.person,
            clientID: ClientID(rawValue: Self.client)
        )
        .user
    }

    /// Serves the emulated Apple on sockets, its sender of notifications included, meanwhile.
    private func withSender<Result: Sendable>(
        _ emulator: AppleEmulator,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let service = AppleEmulatorService(
            emulator: emulator,
            configuration: AppleEmulatorServiceConfiguration(port: 0, controlPort: 0),
            logger: Logger(label: "emulator") { _ in SwiftLogNoOpLogHandler() }
        )
        return try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            defer { group.cancelAll() }
            return try await body()
        }
    }
}
