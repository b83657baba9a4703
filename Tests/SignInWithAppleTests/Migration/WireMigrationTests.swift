import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import SignInWithApple
import Testing

/// Moving people over a real socket: the field with the access token and the forms arrive whole.
@Suite struct WireMigrationTests {
    /// The longest body a test sends, in bytes.
    private static let bodyByteCountMax = 64 * 1024

    private func withServer(
        of emulator: AppleEmulator,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let router = Router(context: BasicRequestContext.self)
        router.post("**") { request, _ in
            let content = try await request.body.collect(upTo: Self.bodyByteCountMax)
            let answer = await emulator.respond(
                to: request.head,
                body: Data(content.readableBytesView)
            )
            return Response(
                status: answer.response.status,
                headers: answer.response.headerFields,
                body: .init(byteBuffer: ByteBuffer(bytes: answer.body))
            )
        }
        try await withLoopbackServer(router, body)
    }

    @Test func personGoesThereAndArrives() async throws {
        var seed = Seed.demo()
        seed.teams.append(SeedTeam(teamID: "OTHERTEAM1"))
        try await withAppleEmulator(seed: seed) { apple in
            let maya = try await apple.credentials(hidesEmail: true)
            try await withServer(of: apple.emulator) { port in
                func migration(of team: TeamID) throws -> UserMigration {
                    var configuration = try apple.signInConfiguration(teamID: team)
                    configuration.service.url = try #require(
                        URL(string: "http://127.0.0.1:\(port)")
                    )
                    return AppleSignIn(
                        configuration: configuration,
                        transport: .live(),
                        time: apple.time.source
                    )
                    .migration(of: "com.example.juice")
                }
                let between = try await migration(of: "JUICETEAM1")
                    .transferIdentifier(for: maya.user, to: "OTHERTEAM1")
                _ = try await apple.emulator.transfer([
                    "client_id": "com.example.juice", "to_team": "OTHERTEAM1",
                ])
                let arrived = try await migration(of: "OTHERTEAM1")
                    .user(forTransferIdentifier: between)
                #expect(arrived.user != maya.user)
                #expect(arrived.isPrivateEmail && arrived.email != maya.email)
            }
        }
    }
}
