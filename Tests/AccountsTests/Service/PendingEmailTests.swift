import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("A pending email address", AccountsWorld.lending) struct PendingEmailTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let client = ClientDescription(device: "a laptop")
    private let intruder = ClientDescription(device: "a phone")

    /// What ends the hold of somebody who knows the password.
    enum Countermeasure: String, CaseIterable {
        case passwordChange, passwordReset, endOthers, endTheirs, cancel
    }

    @Test(
        "is dropped by changes that lock an intruder out, and its link is invalid",
        arguments: Countermeasure.allCases
    )
    func takeover(_ countermeasure: Countermeasure) async throws {
        var owner = try await service.createProved(in: world)
        let theirs = try await service.signIn(from: intruder)
        let asked = try await service.changeEmail(
            to: "intruder@example.com",
            by: theirs,
            client: intruder
        )
        #expect(asked.pendingEmail?.address == "intruder@example.com")
        let mails = try await world.mails()
        let link = try #require(mails.last { $0.kind == .verification }?.linkToken)
        let told = mails.filter { $0.kind == .emailChangeRequested }
        #expect(told.map(\.address) == ["maya@example.com"])

        switch countermeasure {
        case .passwordChange:
            _ = try await service.change(to: "battery staple", requestedBy: owner.session)
        case .passwordReset:
            try await service.requestPasswordReset(for: "maya", client: client)
            let reset = try await world.link(.passwordReset)
            try await service.resetPassword(token: reset, to: "battery staple", client: client)
            owner = try await service.signIn("maya", "battery staple")
        case .endOthers: try await service.endOtherSessions(than: owner.session)
        case .endTheirs: try await service.endSession(theirs.session.id, requestedBy: owner.session)
        case .cancel:
            try await service.cancelEmailChange(requestedBy: owner.session, client: client)
        }
        await expect(.linkInvalid) {
            try await service.verifyEmail(token: link, requestedBy: owner.session)
        }
        let account = try await service.account(of: owner)
        #expect(account.pendingEmail == nil)
        #expect(account.email?.text == "maya@example.com" && account.emailDeliverable)
    }

    @Test("is dropped with the end of other sessions, even if its own session signed out before")
    func signedOutBefore() async throws {
        let owner = try await service.createProved(in: world)
        let theirs = try await service.signIn(from: intruder)
        try await service.changeEmail(to: "intruder@example.com", by: theirs, client: intruder)
        try await service.signOut(theirs.session)
        #expect(try await service.account(of: owner).pendingEmail != nil)
        try await service.endOtherSessions(than: owner.session)
        #expect(try await service.account(of: owner).pendingEmail == nil)
    }

    @Test("is dropped with a session opened with Apple when the link to Apple ends")
    func unlinked() async throws {
        let owner = try await service.createProved(in: world)
        let linked = try await service.link(world.nativeRequest(), to: owner)
        let theirs = try await service.signIn(world.nativeRequest())
        let asked = try await service.changeEmail(
            to: "intruder@example.com",
            of: linked,
            requestedBy: theirs.session,
            client: intruder
        )
        let ended = asked.consentEnded(at: world.time.now)
        #expect(ended.contains(.removeMailTokens(of: asked.id, purpose: .verification)))
        let link = try await world.link(.verification)
        let left = try await service.unlinkApple(requestedBy: owner.session, client: client)
        #expect(left.pendingEmail == nil)
        await expect(.linkInvalid) {
            try await service.verifyEmail(token: link, requestedBy: owner.session)
        }
    }

    @Test("stays when its session ends the others, or signs out")
    func ownChange() async throws {
        let owner = try await service.createProved(in: world)
        let other = try await service.signIn(from: intruder)
        try await service.changeEmail(to: "new@example.com", by: owner, client: client)
        let link = try await world.link(.verification)
        try await service.endSession(other.session.id, requestedBy: owner.session)
        try await service.endOtherSessions(than: owner.session)
        try await service.signOut(owner.session)
        let again = try await service.signIn()
        let account = try await service.verifyEmail(token: link, requestedBy: again.session)
        #expect(account.email?.text == "new@example.com" && account.pendingEmail == nil)
    }

    @Test(
        "stays when its session adds a first password, and is dropped for another session's",
        arguments: [true, false]
    )
    func firstPassword(isOwn: Bool) async throws {
        let apple = try await service.signIn(world.nativeRequest())
        let other = try await service.signIn(world.nativeRequest())
        let asking = isOwn ? apple : other
        try await service.changeEmail(to: "new@example.com", by: asking, client: client)
        let account = try await service.addPassword(
            "battery staple",
            username: "maya",
            requestedBy: apple.session
        )
        #expect(account.pendingEmail?.address == (isOwn ? "new@example.com" : nil))
    }

    @Test("may be the account's only one, and is then removed")
    func unproved() async throws {
        let made = try await service.create(email: "mistyped@example.com")
        #expect(made.account.pendingEmail?.address == "mistyped@example.com")
        let dropped = try await service.cancelEmailChange(requestedBy: made.session, client: client)
        #expect(dropped.email == nil && dropped.pendingEmail == nil)
        let again = try await service.cancelEmailChange(requestedBy: made.session, client: client)
        #expect(again == dropped)
    }

    @Test(
        "of the sign-up stays, unconfirmed, when sessions end or the password changes; its link is invalid",
        arguments: [Countermeasure.passwordChange, .endOthers, .endTheirs]
    )
    func signUp(_ countermeasure: Countermeasure) async throws {
        let made = try await service.create(email: "maya@example.com")
        let link = try await world.link(.verification)
        let other = try await service.signIn(from: intruder)
        switch countermeasure {
        case .passwordChange:
            _ = try await service.change(to: "battery staple", requestedBy: other.session)
        case .endOthers: try await service.endOtherSessions(than: other.session)
        default: try await service.endSession(made.session.id, requestedBy: other.session)
        }
        let account = try await service.account(of: other)
        #expect(account.pendingEmail == nil)
        #expect(account.email == EmailAddress(own: "maya@example.com", isVerified: false))
        await expect(.linkInvalid) {
            try await service.verifyEmail(token: link, requestedBy: other.session)
        }
        try await service.requestVerification(
            of: account,
            requestedBy: other.session,
            client: client
        )
        let second = try await world.link(.verification)
        let proved = try await service.verifyEmail(token: second, requestedBy: other.session)
        #expect(proved.email?.isVerified == true)
    }

    @Test("gets its link again, even if the account has a verified email address")
    func again() async throws {
        let owner = try await service.createProved(in: world)
        let asked = try await service.changeEmail(to: "new@example.com", by: owner, client: client)
        world.time.advance(bySeconds: 86_400)
        let session = try await service.signIn().session
        try await service.requestVerification(of: asked, requestedBy: session, client: client)
        let link = try await world.link(.verification)
        let account = try await service.verifyEmail(token: link, requestedBy: session)
        #expect(account.email?.text == "new@example.com")
    }

    @Test("After a reset, the mail names the linked Apple identity and since when it is linked")
    func remainingWayIn() async throws {
        let owner = try await service.createProved(in: world)
        let linked = try await service.link(world.nativeRequest(), to: owner)
        try await service.requestPasswordReset(for: "maya", client: client)
        let reset = try await world.link(.passwordReset)
        let account = try await service.resetPassword(
            token: reset,
            to: "battery staple",
            client: client
        )
        #expect(account.apple == linked.apple)
        let mail = try #require(try await world.mails().last { $0.kind == .passwordChanged })
        #expect(mail.appleLinkedAt == linked.apple?.linkedAt && mail.appleLinkedAt != nil)
    }
}
