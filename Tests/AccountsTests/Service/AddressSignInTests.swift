import AppleIdentity
import ServerTestSupport
import TestSupport
import Testing

@testable import Accounts

@Suite("A sign-in with an email address", AccountsWorld.lending) struct AddressSignInTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let pears = "nine ripe pears"

    @Test("is one to the account that confirmed it, in upper or lower case")
    func confirmed() async throws {
        let maya = try await service.createProved(in: world)
        for typed in ["maya@example.com", " Maya@Example.com "] {
            #expect(try await service.signIn(typed).account.id == maya.account.id)
        }
        await expect(.credentialsInvalid) { try await service.signIn("maya@example.com", "wrong") }
    }

    @Test("is refused for an unconfirmed address, and for one of two accounts")
    func refused() async throws {
        _ = try await service.create("maya", email: "maya@example.com")
        await expect(.credentialsInvalid) { try await service.signIn("maya@example.com") }
        _ = try await service.createProved("first", email: "both@example.com", in: world)
        try await service.signIn("both@example.com")
        _ = try await service.createProved("second", email: "both@example.com", in: world)
        await expect(.credentialsInvalid) { try await service.signIn("both@example.com") }
        for name in ["first", "second"] { try await service.signIn(name) }
    }

    @Test("is one to the account with that username if both passwords are right")
    func username() async throws {
        let owner = try await service.createProved("maya", in: world)
        let named = try await service.create("maya@example.com", password: pears)
        #expect(try await service.signIn("maya@example.com").account.id == owner.account.id)
        #expect(try await service.signIn("maya@example.com", pears).account.id == named.account.id)
        let same = try await service.change(
            from: pears,
            to: AccountsWorld.password,
            requestedBy: named.session
        )
        #expect(try await service.signIn("maya@example.com").account.id == same.id)
    }

    @Test(
        "takes two hashes, even if no account has it",
        arguments: [
            ("maya@example.com", 2), ("named@example.com", 2), ("nobody@example.com", 2),
            ("no@address", 2), ("maya", 1), ("nobody", 1),
        ]
    )
    func hashes(typed: String, count: Int) async throws {
        let hashed = LockedValue(0)
        let hasher = PasswordHasher(cost: .free) { _, _ in hashed.withLock { $0 += 1 } }
        let service = world.service(hasher: hasher)
        _ = try await service.createProved(in: world)
        _ = try await service.create("named@example.com")
        hashed.withLock { $0 = 0 }
        await expect(.credentialsInvalid) { try await service.signIn(typed, "wrong") }
        #expect(hashed.withLock(\.self) == count)
    }

    @Test("counts for the account, too: guesses by address and by username share one limit")
    func guesses() async throws {
        _ = try await service.createProved(in: world)
        for guess in 0..<5 {
            let name = guess.isMultiple(of: 2) ? "maya" : "maya@example.com"
            await expect(.credentialsInvalid) { try await service.signIn(name, "wrong") }
        }
        for name in ["maya", "maya@example.com"] {
            await expect(.tooManyAttempts) { try await service.signIn(name) }
        }
        world.time.advance(bySeconds: 300)
        try await service.signIn("maya@example.com")
        // It ended the count.
        for name in ["maya", "maya@example.com", "maya", "maya@example.com"] {
            await expect(.credentialsInvalid) { try await service.signIn(name, "wrong") }
        }
    }

    @Test("is possible at once after a reset, which ends the count of guesses")
    func reset() async throws {
        _ = try await service.createProved(in: world)
        for _ in 0..<5 {
            await expect(.credentialsInvalid) {
                try await service.signIn("maya@example.com", "wrong")
            }
        }
        try await service.requestPasswordReset(for: "maya", client: ClientDescription())
        let link = try await world.link(.passwordReset)
        try await service.resetPassword(token: link, to: pears, client: ClientDescription())
        try await service.signIn("maya@example.com", pears)
    }

    @Test("is recorded once for each account whose password was compared")
    func audit() async throws {
        _ = try await service.createProved(in: world)
        await expect(.credentialsInvalid) { try await service.signIn("maya@example.com", "wrong") }
        #expect(try await refusals().count == 1)
        _ = try await service.create("maya@example.com", password: pears)
        await expect(.credentialsInvalid) { try await service.signIn("maya@example.com", "wrong") }
        #expect(try await refusals().count == 3)
    }

    private func refusals() async throws -> [AuditEntry] {
        try await world.entries().filter { $0.action == "sign_in_refused" }
    }

    @Test("in a known browser is counted apart from strangers' guesses")
    func knownBrowser() async throws {
        let maya = try await service.createProved(in: world)
        let browser = ClientDescription(
            device: "a laptop",
            knownDevice: await service.knownDevice(of: maya.account)
        )
        for _ in 0..<5 {
            await expect(.credentialsInvalid) {
                try await service.signIn("maya@example.com", "wrong")
            }
        }
        await expect(.tooManyAttempts) { try await service.signIn("maya@example.com") }
        try await service.signIn("maya@example.com", from: browser)
    }
}
