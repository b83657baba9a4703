import AppleIdentity
import Testing

@testable import Accounts

@Suite("The link that undoes a change of the email address", AccountsWorld.lending)
struct EmailRestorationTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let client = ClientDescription(device: "a laptop")
    private let intruder = ClientDescription(device: "a phone")

    @Test("restores the former email address after any change by an intruder")
    func restored() async throws {
        _ = try await service.createProved(in: world)
        let theirs = try await service.signIn(from: intruder)
        let undo = try await change(to: "intruder@example.com", by: theirs)
        #expect(undo.address == "maya@example.com")
        let later = try await change(to: "second@example.com", by: theirs)
        #expect(later.address == "intruder@example.com")
        _ = try await service.change(to: "stolen horse", askedBy: theirs.session)

        let account = try await restore(undo, "battery staple")
        #expect(account.email?.text == "maya@example.com" && account.emailDeliverable)
        await expect(.sessionInvalid) { try await service.authenticate(theirs.token.text) }
        await expect(.credentialsInvalid) { try await service.signIn("maya", "stolen horse") }
        await expect(.linkInvalid) { try await restore(later, "stolen horse") }
        await expect(.linkInvalid) { try await restore(undo, "stolen horse") }
        try await service.signIn("maya", "battery staple")
    }

    @Test("still works after an intruder has undone a later change")
    func intruderFirst() async throws {
        _ = try await service.createProved(in: world)
        let theirs = try await service.signIn(from: intruder)
        let undo = try await change(to: "intruder@example.com", by: theirs)
        let later = try await change(to: "second@example.com", by: theirs)
        let held = try await restore(later, "stolen horse")
        #expect(held.email?.text == "intruder@example.com")
        let account = try await restore(undo, "battery staple")
        #expect(account.email?.text == "maya@example.com")
    }

    @Test("works for a week")
    func late() async throws {
        let owner = try await service.createProved(in: world)
        let undo = try await change(to: "new@example.com", by: owner)
        world.time.advance(bySeconds: 7 * 86_400)
        await expect(.linkInvalid) { try await restore(undo, "battery staple") }
    }

    /// Changes the address and confirms it; the mail that the former address gets.
    private func change(to address: String, by receipt: SignInReceipt) async throws -> MailOrder {
        world.time.advance(bySeconds: 1)
        _ = try await service.changeEmail(
            to: address,
            of: try await service.account(of: receipt),
            askedBy: receipt.session,
            client: intruder
        )
        let link = try await world.link(.verification)
        _ = try await service.verifyEmail(token: link, askedBy: receipt.session)
        return try #require(try await world.mails().last { $0.kind == .emailChanged })
    }

    @discardableResult
    private func restore(_ mail: MailOrder, _ password: String) async throws -> Account {
        let token = mail.linkToken ?? ""
        return try await service.resetPassword(token: token, to: password, client: client)
    }
}
