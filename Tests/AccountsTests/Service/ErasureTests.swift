import Accounts
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import Testing

@Suite("The stored data of a user with a password", AccountsWorld.lending) struct ErasureTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let client = ClientDescription(device: "Maya's laptop", address: "198.51.100.77")

    @Test("is in the export, without secrets")
    func export() async throws {
        let made = try await service.createProved(email: "own@example.com", in: world)
        _ = try await service.link(world.nativeRequest(), to: made)
        try await service.changeEmail(to: "next@example.com", by: made, client: client)
        let export = try await service.export(of: made.session)
        #expect(export.account == (try await service.account(of: made)))
        #expect(export.sessions.map(\.id) == [made.session.id])
        #expect(export.passwordChangedAt == made.session.createdAt)
        #expect(export.refreshTokens.map(\.clientID) == ["com.example.juice"])
        #expect(export.mailTokens.map(\.address) == ["next@example.com"])
        #expect(export.waitingMail.count == 3)
        let other = try await service.create("noah")
        #expect(try await service.export(of: other.session).refreshTokens.isEmpty)
        try await service.deleteAccount(made.session, of: made.account, client: client)
        await expect(.sessionInvalid) { try await service.export(of: made.session) }
    }

    @Test("contains no unencrypted secret in any file or in the log")
    func secrets() async throws {
        let made = try await service.create(
            password: "the first secret",
            email: "maya@example.com",
            from: client
        )
        let verification = try await world.link(.verification)
        _ = try await service.verifyEmail(token: verification, requestedBy: made.session)
        try await service.requestPasswordReset(for: "maya", client: client)
        // The outbox still has the mail, with the link in it.
        let waiting = try world.folder.everything()
        let reset = try await world.link(.passwordReset)
        #expect(waiting.range(of: Data(reset.utf8)) == nil)
        try await service.resetPassword(token: reset, to: "the second secret", client: client)
        let again = try await service.signIn("maya", "the second secret", from: client)
        _ = try await service.change(
            from: "the second secret",
            to: "the third secret",
            requestedBy: again.session
        )
        let bytes = try world.folder.everything()
        for secret in [
            "the first secret", "the second secret", "the third secret", verification, reset,
            made.token.text,
            again.token.text,
        ] {
            #expect(bytes.range(of: Data(secret.utf8)) == nil)
            #expect(!world.log.text.contains(secret))
        }
        for word in ["maya", "Maya", "198.51.100.77"] {
            #expect(!world.log.text.contains(word), "\(word)")
        }
        #expect(
            bytes.range(of: Data("maya@example.com".utf8)) != nil,
            "the search finds nothing at all"
        )
    }

    @Test("is deleted with the account from the database, its log, the outbox and the server's log")
    func deletion() async throws {
        let made = try await service.create(
            "mayas-username",
            name: "Maya Somebody",
            email: "mayas-own@example.com",
            from: client
        )
        _ = try await service.verifyEmail(
            token: world.link(.verification),
            requestedBy: made.session
        )
        _ = try await service.link(world.nativeRequest(), to: made)
        try await service.changeEmail(to: "mayas-next@example.com", by: made, client: client)
        try await service.requestPasswordReset(for: "mayas-username", client: client)
        await expect(.credentialsInvalid) {
            try await service.signIn("mayas-username", "wrong horse", from: client)
        }
        let words = ["mayas-", "Maya", "laptop", "$scrypt$"]
        let before = try world.folder.everything()
        for word in words { #expect(before.range(of: Data(word.utf8)) != nil, "\(word)") }

        let account = try await service.account(of: made)
        try await service.deleteAccount(made.session, of: account, client: client)
        #expect(try await world.mails().map(\.kind) == [.accountDeleted])
        await world.maintenance().lookAfter()
        let bytes = try world.folder.everything()
        for word in words { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is left") }
        let rows = try await contents(of: world.sqlite)
        // The audit log keeps what was done to the account, by its id alone.
        let named = rows.filter { $0.contains(made.account.id.rawValue) }
        #expect(named.allSatisfy { $0.hasPrefix("audit_") })
        for table in [
            "accounts", "passwords", "mail_tokens", "sessions", "apple_identities",
            "apple_refresh_tokens",
        ] {
            #expect(!rows.contains { $0.hasPrefix("\(table):") }, "\(table)")
        }
        for word in ["mayas-", "Maya", "example.com"] {
            #expect(!world.log.text.contains(word), "\(word)")
        }
        await expect(.credentialsInvalid) {
            try await service.signIn("mayas-username", from: ClientDescription())
        }
    }
}
