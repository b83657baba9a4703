import Accounts
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@Suite("Apple's answer to a code that names another person")
struct IdentityMismatchTests {
    @Test("makes no session and no account") func isRefused() async throws {
        try await AccountsWorld.with { world in
            let request = try await world.nativeRequest()
            let foreign = try await world.nativeRequest(for: "noah@example.com")
            let code = try #require(request.authorizationCode)
            let foreignCode = try #require(foreign.authorizationCode)
            let service = try service(in: world, exchanging: code, for: foreignCode)

            await expect(.init("identity_mismatch"), 401) {
                try await service.signInNative(request)
            }
            // The right person is still new: nothing was opened in anybody's name.
            let receipt = try await world.service().signInNative(world.nativeRequest())
            #expect(receipt.isNewAccount)
        }
    }

    /// A service whose Apple is asked for another code than the one sent.
    private func service(
        in world: AccountsWorld,
        exchanging code: String,
        for other: String
    ) throws -> AccountsService {
        let transport = AppleTransport { [transport = world.apple.transport] request, body in
            let text = String(decoding: body, as: UTF8.self).replacing(code, with: other)
            return try await transport.send(request, body: Data(text.utf8))
        }
        return AccountsService(
            store: world.sqlite,
            apple: AppleSignIn(
                configuration: try world.apple.signInConfiguration(),
                transport: transport,
                time: world.time.source
            ),
            sealer: world.sealer,
            configuration: world.configuration,
            time: world.time.source,
            logger: world.logger
        )
    }
}
