import AppleIdentity
import Testing

@testable import Accounts

@Suite("An intruder with a session of an account with Apple alone", AccountsWorld.lending)
struct TakeoverTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let intruder = ClientDescription(device: "a phone")

    @Test("gets no link when the owner takes the email address and the password back")
    func cleanUp() async throws {
        try await takeOver()
        world.time.advance(bySeconds: 3600)
        let owner = try await service.signIn(world.nativeRequest())
        try await service.endOtherSessions(than: owner.session)
        try await changeEmail(to: "maya@example.com", by: owner)
        _ = try await service.change(from: nil, to: "battery staple", requestedBy: owner.session)
        let mails = try await world.mails()
        #expect(mails.contains { $0.address == "intruder@example.com" })
        #expect(mails.allSatisfy { $0.address == "maya@example.com" || $0.linkToken == nil })
        try await service.signIn("thief", "battery staple")
        await expect(.credentialsInvalid) { try await service.signIn("thief", "stolen horse") }
    }

    @Test("causes a mail with a link to the owner, but none to a new address")
    func links() async throws {
        try await takeOver()
        let linked = try await world.mails().filter { $0.linkToken != nil }
        #expect(linked.map(\.kind) == [.emailChanged])
        #expect(linked.map(\.address) == ["maya@example.com"])
    }

    @Test("causes such a mail by a first password, too")
    func firstPassword() async throws {
        let theirs = try await service.signIn(world.nativeRequest())
        _ = try await service.addPassword(
            "stolen horse",
            username: "thief",
            requestedBy: theirs.session
        )
        let mail = try #require(try await world.mails().last { $0.kind == .passwordChanged })
        #expect(mail.address == "maya@example.com" && mail.linkToken != nil)
    }

    @Test("gets no link when the owner of a password unlinks the intruder's Apple Account later")
    func lateUnlinking() async throws {
        let owner = try await service.create("maya")
        world.time.advance(bySeconds: 1)
        _ = try await service.link(world.nativeRequest(), to: owner)
        world.time.advance(bySeconds: 8 * 86_400)
        let fresh = try await service.signIn("maya")
        _ = try await service.unlinkApple(requestedBy: fresh.session)
        let mails = try await world.mails()
        #expect(mails.contains { $0.kind == .appleUnlinked && $0.address == "maya@example.com" })
        #expect(mails.allSatisfy { $0.kind != .appleUnlinked || $0.linkToken == nil })
    }

    /// Sets and confirms the intruder's address, and adds a password.
    private func takeOver() async throws {
        let theirs = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 1)
        try await changeEmail(to: "intruder@example.com", by: theirs)
        _ = try await service.addPassword(
            "stolen horse",
            username: "thief",
            requestedBy: theirs.session
        )
    }

    private func changeEmail(to address: String, by receipt: SignInReceipt) async throws {
        _ = try await service.changeEmail(
            to: address,
            of: try await service.account(of: receipt),
            requestedBy: receipt.session,
            client: intruder
        )
        let link = try await world.link(.verification)
        _ = try await service.verifyEmail(token: link, requestedBy: receipt.session)
    }
}
