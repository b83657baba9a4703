import AppleEmulatorTesting
import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("A password that somebody else set", AccountsWorld.lending) struct StrangePasswordTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let client = ClientDescription(device: "a laptop")

    @Test("is replaced after a sign-in with the Apple Account that was linked before")
    func replaced() async throws {
        let theirs = try await strangePassword()
        let owner = try await service.signIn(world.nativeRequest())
        _ = try await service.change(from: nil, to: "battery staple", requestedBy: owner.session)
        #expect(await !world.signedIn(theirs, in: service))
        #expect(await world.signedIn(owner, in: service))
        let mail = try #require(try await world.mails().last { $0.kind == .passwordChanged })
        #expect(mail.address == "maya@example.com" && mail.undoesChange)
        // Its age is that of the first password.
        _ = try await service.change(from: nil, to: "seven green limes", requestedBy: owner.session)
        try await service.signIn("thief", "seven green limes")
    }

    @Test("is removed with its username")
    func removed() async throws {
        let theirs = try await strangePassword()
        let owner = try await service.signIn(world.nativeRequest())
        let account = try await service.removePassword(requestedBy: owner.session, client: client)
        #expect(account.username == nil && account.passwordSetAt == nil)
        #expect(await !world.signedIn(theirs, in: service))
        await expect(.credentialsInvalid) { try await service.signIn("thief", "stolen horse") }
        let mail = try #require(try await world.mails().last { $0.kind == .passwordRemoved })
        #expect(mail.address == "maya@example.com" && mail.undoesChange)
        #expect(try await world.entries().contains { $0.action == "password_removed" })
        let again = try await service.removePassword(requestedBy: owner.session, client: client)
        #expect(again == account)
        #expect(try await service.create("thief").isNewAccount)
    }

    @Test("stays with a session of the password, and with an old sign-in")
    func otherSession() async throws {
        _ = try await strangePassword()
        let theirs = try await service.signIn("thief", "stolen horse")
        await expect(.credentialsInvalid) {
            try await service.change(from: nil, to: "battery staple", requestedBy: theirs.session)
        }
        await expect(.recentSignInRequired) {
            try await service.removePassword(requestedBy: theirs.session, client: client)
        }
        let owner = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 601)
        await expect(.credentialsInvalid) {
            try await service.change(from: nil, to: "battery staple", requestedBy: owner.session)
        }
        await expect(.recentSignInRequired) {
            try await service.removePassword(requestedBy: owner.session, client: client)
        }
        try await service.signIn("thief", "stolen horse")
    }

    @Test("and not one that was set before the Apple Account was linked, even if changed since")
    func linkedLater() async throws {
        let made = try await service.create()
        world.time.advance(bySeconds: 1)
        _ = try await service.link(world.nativeRequest(), to: made)
        world.time.advance(bySeconds: 1)
        _ = try await service.change(to: "battery staple", requestedBy: made.session)
        let theirs = try await service.signIn(world.nativeRequest())
        await expect(.credentialsInvalid) {
            try await service.change(from: nil, to: "stolen horse", requestedBy: theirs.session)
        }
        await expect(.credentialsInvalid) {
            try await service.removePassword(requestedBy: theirs.session, client: client)
        }
        try await service.signIn("maya", "battery staple")
    }

    @Test("stays where it is the only way in")
    func lastWayIn() async throws {
        let made = try await service.create()
        await expect(.lastWayIn) {
            try await service.removePassword(requestedBy: made.session, client: client)
        }
    }

    @Test("can be replaced three times at once, then after a wait")
    func limit() async throws {
        _ = try await strangePassword()
        let owner = try await service.signIn(world.nativeRequest())
        for number in 0..<2 {
            _ = try await service.change(
                from: nil,
                to: "battery staple \(number)",
                requestedBy: owner.session
            )
        }
        await expect(.tooManyAttempts) {
            try await service.change(from: nil, to: "battery staple", requestedBy: owner.session)
        }
        await expect(.tooManyAttempts) {
            try await service.removePassword(requestedBy: owner.session, client: client)
        }
    }

    /// An account with Apple alone, in which an intruder's session set a password.
    private func strangePassword() async throws -> SignInReceipt {
        let theirs = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 1)
        _ = try await service.addPassword(
            "stolen horse",
            username: "thief",
            requestedBy: theirs.session
        )
        world.time.advance(bySeconds: 1)
        return theirs
    }
}
