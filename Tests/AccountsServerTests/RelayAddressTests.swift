import AccountsServer
import AppleEmulatorTesting
import HTTPTypes
import HummingbirdTesting
import SignInWithApple
import Testing

@Suite("An address that is recognised as a relay address only by its domain")
struct RelayAddressTests {
    @Test("is reported as one, and is removed with the link, forwarded or not")
    func unlinked() async throws {
        try await withPasswordServer(
            { $0.apple.relayDomains = .apple.adding(["example.com"]) }
        ) { server in
            let token = try await server.tokenOfNewAccount()
            let credential = try await server.apple.credentials()
            let linked = try await server.put("/api/account/apple", credential.request, token)
            #expect(linked.json?["email"] == "maya@example.com", "\(linked.text)")
            #expect(linked.json?["emailIsPrivateRelay"] == true)
            let unlinked = try await server.delete("/api/account/apple", token)
            #expect(unlinked.status == .ok, "\(unlinked.text)")
            #expect(unlinked.json?["email"] == .null)
            #expect(unlinked.json?["emailDeliverable"] == false)
        }
    }
}
