import Accounts
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

    @Test("has each refused sign-in with Apple once, with its code and the client's address")
    func refusals() async throws {
        try await withAccountsServer { server in
            let browser = TestBrowser(server)
            let fields = try await browser.callback().fields.map { ($0.name, $0.value) }
            for state in [nil, "nonsense"] {
                let rest = fields.filter { $0.0 != "state" }
                let form = TestBrowser.form(rest + (state.map { [("state", $0)] } ?? []))
                #expect(try await browser.postCallback(form).status == .badRequest)
            }
            let credential = try await server.apple.credentials()
            let altered = AlteredToken.of(credential.identityToken)
            _ = try await server.signIn(identityToken: altered)
            var refused = credential.request
            refused["authorizationCode"] = "c.unknown"
            _ = try await server.postJSON("/api/sessions/apple", refused)
            refused["nonce"] = "unknown"
            _ = try await server.postJSON("/api/sessions/apple", refused)
            #expect(try await server.signInNatively(credential).status == .created)
            _ = try await server.signInNatively(credential)
            // Pressing Cancel and a request without a credential are no refused sign-ins.
            let cancelled = try await browser.callback(isContinuing: false)
            #expect(try await browser.post(cancelled).status == .seeOther)
            _ = try await server.postJSON("/api/sessions/apple", [:])
            let entries = try await server.refusals()
            // The clock stands still, so the entries have no order.
            #expect(
                entries.compactMap(\.detail).sorted() == [
                    "state_mismatch", "state_missing", "token_code_hash_mismatch",
                    "token_nonce_missing", "token_replayed", "token_signature_invalid",
                ]
            )
            #expect(entries.allSatisfy { $0.actor == "stranger" && $0.account == nil })
            #expect(entries.allSatisfy { $0.address != nil })
        }
    }

    @Test("has a code that Apple refused, but no outage of Apple")
    func refusedByApple() async throws {
        try await withAccountsServer { server in
            let credential = try await server.apple.credentials()
            server.apple.time.advance(bySeconds: 301)
            _ = try await server.signInNatively(credential)
            try await server.apple.fail(.token)
            _ = try await server.signInNatively(try await server.apple.credentials())
            #expect(try await server.refusals().map(\.detail) == ["apple_refused_grant"])
        }
    }

    @Test("names the account with the same email address, to its user and not to the other client")
    func accountExists() async throws {
        try await withPasswordServer { server in
            let token = try await server.tokenOfNewAccount()
            let address: JSONObject = ["email": "maya@example.com"]
            let asked = try await server.put("/api/account/email", address, token)
            let id = try #require(asked.json?["id"]?.stringValue)
            let link = try await server.addLink(.verification, of: id, to: "maya@example.com")
            #expect(try await server.prove(by: link, token).status == .ok)
            let credential = try await server.apple.credentials()
            let refused = try await server.signInNatively(credential)
            expectRefusal(refused, .conflict, "account_exists")
            #expect(!refused.text.contains(id))
            let entries = try await server.refusals()
            #expect(entries.map(\.detail) == ["account_exists"])
            #expect(entries.map(\.account) == [AccountID(id)])
            let export = try await server.get("/api/account/export", token)
            #expect(export.text.contains("account_exists"))
        }
    }

    @Test("has a part of a flood of refused sign-ins")
    func flood() async throws {
        try await withAccountsServer { server in
            for _ in 0..<120 { _ = try await server.signIn(identityToken: "x") }
            #expect(try await server.refusals().count == 50)
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

extension TestServer {
    /// The refused sign-ins in the audit log.
    fileprivate func refusals() async throws -> [AuditEntry] {
        try await store.auditEntries(AuditQuery(count: AuditQuery.maximumCount))
            .filter { $0.action == "sign_in_refused" }
    }
}
