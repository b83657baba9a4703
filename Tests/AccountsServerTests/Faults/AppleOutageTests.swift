import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import SignInWithApple
import Synchronization
import TestSupport
import Testing

@Suite("An outage of Apple's service for an hour", .timeLimit(.minutes(2)))
struct AppleOutageTests {
    @Test(
        "ends no session, stops no sign-in that needs no code, and loses no name and no revocation"
    )
    func hour() async throws {
        let line = CutLine()
        try await withAccountsServer(reaching: line.leading) { server in
            let maya = try await server.token()
            let noah = try await server.token(of: "noah@example.com")
            _ = try await server.apple.emulator.add(.person, ["email": "vera@example.com"])
            line.cut(true)

            let name = PersonName(givenName: "Vera", familyName: "Ek")
            let first = try await server.apple.credentials(for: "vera@example.com", name: name)
            let refused = try await server.signInNatively(first, name: name)
            #expect(refused.status.code == 503, "\(refused.text)")
            let deleted = try await server.delete("/api/account", noah)
            #expect(deleted.status == .noContent)
            for _ in 0..<6 {
                server.apple.time.advance(bySeconds: 600)
                let account = try await server.account(maya)
                #expect(account["email"]?.stringValue == "maya@example.com")
                let known = try await server.apple.credentials()
                let answer = try await server.signIn(identityToken: known.identityToken)
                #expect(answer.status == .created, "\(answer.text)")
            }
            #expect(await line.revocations(server) == [])

            line.cut(false)
            // Apple sends a name once; the server has kept it from the failed attempt.
            let again = try await server.signInNatively(
                server.apple.credentials(for: "vera@example.com")
            )
            #expect(again.status == .created, "\(again.text)")
            #expect(again.json?["account"]?.objectValue?["name"]?.stringValue == "Vera Ek")
            try await waitUntil {
                if await !line.revocations(server).isEmpty { return true }
                server.apple.time.advance(bySeconds: 60)
                return false
            }
            #expect(await line.revocations(server) == [200])
            #expect(try await server.account(maya)["apple"] != .null)
        }
    }
}

/// The server's only transport to Apple.
private final class CutLine: Sendable {
    private let isCut = Mutex(false)

    func cut(_ isCut: Bool) {
        self.isCut.withLock { $0 = isCut }
    }

    /// Forwards requests to another transport unless the line is cut.
    func leading(_ transport: AppleTransport) -> AppleTransport {
        AppleTransport { request, body in
            guard !self.isCut.withLock(\.self) else { throw URLError(.cannotConnectToHost) }
            return try await transport.send(request, body: body)
        }
    }

    /// Apple's responses to revocations.
    func revocations(_ server: TestServer) async -> [Int] {
        await server.apple.emulator.requests()
            .filter { $0["path"]?.stringValue == "/auth/revoke" }
            .compactMap { $0["status"]?.integerValue }
    }
}
