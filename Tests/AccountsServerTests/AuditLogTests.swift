import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Testing

@Suite struct AuditLogTests {
    private func lines(_ server: TestServer, containing text: String) -> [Substring] {
        server.log.text.split(separator: "\n").filter { $0.contains(text) }
    }

    @Test func refusedSignInIsLoggedOnceWithItsRequest() async throws {
        try await withAccountsServer { server in
            let credential = try await server.apple.credentials()
            let refused = try await server.signIn(
                identityToken: AlteredToken.of(credential.identityToken)
            )
            #expect(refused.status == .unauthorized)
            let refusals = lines(server, containing: "token_signature_invalid")
            #expect(refusals.count == 1)
            #expect(refusals.allSatisfy { $0.hasPrefix("notice sign-in refused") })
            #expect(refusals.allSatisfy { $0.contains("hb.request.id") })
            #expect(refusals.allSatisfy { $0.contains("/api/sessions/apple") })
        }
    }

    @Test func signInAndDeletionShowAtTheUsualLevel() async throws {
        try await withAccountsServer { server in
            let token = try await server.token()
            #expect(lines(server, containing: "notice signed in").count == 1)
            let deleted = try await server.delete("/api/account", token)
            #expect(deleted.status == .noContent)
            #expect(lines(server, containing: "notice account deleted").count == 1)
        }
    }
}
