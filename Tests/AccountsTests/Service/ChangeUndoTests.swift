import AccountStoreConformance
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("The link that undoes a change", AccountsWorld.lending) struct ChangeUndoTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let client = ClientDescription(device: "a laptop")
    private let intruder = ClientDescription(device: "a phone")

    @Test("restores the former email address and ends all access, once")
    func restored() async throws {
        let before = try await service.createProved(in: world).account
        let theirs = try await service.signIn(from: intruder)
        let undo = try await change(to: "intruder@example.com", by: theirs)
        #expect(undo.address == "maya@example.com")
        _ = try await change(to: "second@example.com", by: theirs)
        _ = try await service.change(to: "stolen horse", requestedBy: theirs.session)

        let undone = try await self.undo(undo, "battery staple")
        #expect(undone == before)
        await expect(.sessionInvalid) { try await service.session(token: theirs.token.text) }
        await expect(.credentialsInvalid) { try await service.signIn("maya", "stolen horse") }
        await expect(.linkInvalid) { try await self.undo(undo, "stolen horse") }
        try await service.signIn("maya", "battery staple")
        let told = try await world.mails().filter { $0.kind == .emailChanged }.last
        #expect(told?.address == "second@example.com" && told?.linkToken == nil)
        let entry = try await world.entries().last { $0.action == "change_undone" }
        #expect(entry?.detail == "email password")
    }

    @Test("reaches the owner whose Apple Account has another relay address in each of two apps")
    func ungroupedApps() async throws {
        let week: TimeInterval = 7 * 86_400
        var account: Account?
        for (number, app) in ["a", "b", "a", "b"].enumerated() {
            let now = SampleSignIn.start + TimeInterval(number) * week
            let sample = SampleSignIn(email: .apple("\(app)@privaterelay.appleid.com"), now: now)
            account = try await world.sqlite.signIn(sample).signedIn.account
            #expect(account?.undoAddress(at: now) == "\(app)@privaterelay.appleid.com")
        }
        // The address of an Apple Account that is linked later is new.
        let later = SampleSignIn.start + 4 * week
        let email = EmailAddress.apple("c@privaterelay.appleid.com")
        let other = SampleSignIn(user: "2", email: email, now: later)
        let unlinked = try #require(account).unlinked(by: nil, at: later)
        let linked = other.check.account(unlinked, nil, at: other.now, given: SignInFacts())
        #expect(linked.email == email && linked.undoAddress(at: later) == nil)
    }

    @Test("does not reach the address of an Apple Account that was linked later")
    func laterLink() throws {
        let start = SampleSignIn.start
        let before = Account(
            id: "maya",
            email: EmailAddress(own: "maya@example.com", isVerified: false),
            username: "maya",
            createdAt: start
        )
        let linking = SampleSignIn(user: "intruder", now: start + 86_400)
        let linked = linking.check.account(before, nil, at: linking.now, given: SignInFacts())
        #expect(linked.emailSince == start)
        let now = start + 86_410
        let email = EmailAddress.apple("intruder@example.com")
        let signIn = SampleSignIn(user: "intruder", email: email, now: now)
        let account = signIn.check.account(linked, nil, at: signIn.now, given: SignInFacts())
        #expect(account.email == email && account.undoAddress(at: now) == nil)
    }

    @Test("restores a relay address as one, with the former password")
    func relay() async throws {
        let owner = try await service.signIn(world.nativeRequest(hidesEmail: true))
        let before = try await service.addPassword(username: "maya", requestedBy: owner.session)
        let undo = try await change(to: "intruder@example.com", by: owner)
        let undone = try await self.undo(undo)
        #expect(undone == before)
        #expect(undone.email?.isPrivateRelay == true)
        #expect(undone.email?.isOwn == false)
        try await service.signIn()
    }

    @Test("brings back an unlinked Apple Account, and removes a strange one and its password")
    func apple() async throws {
        let owner = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 1)
        _ = try await service.addPassword(
            "stolen horse",
            username: "thief",
            requestedBy: owner.session
        )
        let undo = try #require(try await world.mails().last { $0.kind == .passwordChanged })
        world.time.advance(bySeconds: 1)
        _ = try await service.unlinkApple(requestedBy: owner.session)
        let later = try #require(try await world.mails().last { $0.kind == .appleUnlinked })
        let noah = try await world.nativeRequest(for: "noah@example.com")
        _ = try await service.link(noah, to: owner)
        try await world.worker().drain()

        let undone = try await self.undo(undo)
        #expect(undone.username == nil)
        #expect(undone.email == owner.account.email)
        #expect(undone.apple?.person == owner.account.apple?.person)
        #expect(undone.apple?.revokedAt != nil)
        #expect(try await service.credentialState(of: undone) == .revoked)
        await expect(.credentialsInvalid) { try await service.signIn("thief", "stolen horse") }
        await expect(.sessionInvalid) { try await service.session(token: owner.token.text) }
        await expect(.linkInvalid) { try await self.undo(later) }
        try await world.worker().drain()
        #expect(await world.statuses(of: ApplePath.revoke) == [200, 200])
        world.time.advance(bySeconds: 2)
        let back = try await service.signIn(world.nativeRequest())
        #expect(back.account.id == owner.account.id && back.account.apple?.revokedAt == nil)
        let theirs = try await service.signIn(world.nativeRequest(for: "noah@example.com"))
        #expect(theirs.account.id != owner.account.id)
        let entry = try await world.entries().last { $0.action == "change_undone" }
        #expect(entry?.detail == "email password apple")
    }

    @Test("leaves an Apple Account where it is linked now, and stays valid until it is not")
    func elsewhere() async throws {
        let owner = try await service.signIn(world.nativeRequest())
        _ = try await service.addPassword(
            "stolen horse",
            username: "thief",
            requestedBy: owner.session
        )
        let undo = try #require(try await world.mails().last { $0.kind == .passwordChanged })
        _ = try await service.unlinkApple(requestedBy: owner.session)
        world.time.advance(bySeconds: 2)
        let other = try await service.signIn(world.nativeRequest())
        #expect(other.account.id != owner.account.id)
        for _ in 0..<2 {
            let undone = try await self.undo(undo)
            #expect(undone.apple == nil)
        }
        await expect(.credentialsInvalid) { try await service.signIn("thief", "stolen horse") }
        try await service.deleteAccount(other.session)
        let undone = try await self.undo(undo)
        #expect(undone.apple?.person == owner.account.apple?.person)
        await expect(.linkInvalid) { try await self.undo(undo) }
        world.time.advance(bySeconds: 2)
        let back = try await service.signIn(world.nativeRequest())
        #expect(back.account.id == owner.account.id)
    }

    @Test("works even if an intruder took the username")
    func usernameTaken() async throws {
        let owner = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 1)
        _ = try await service.addPassword(username: "maya", requestedBy: owner.session)
        world.time.advance(bySeconds: 1)
        let undo = try await change(to: "intruder@example.com", by: owner)
        _ = try await service.removePassword(requestedBy: owner.session, client: intruder)
        _ = try await service.create("maya", password: "stolen horse")
        let undone = try await self.undo(undo, "battery staple")
        #expect(undone.username == nil)
        #expect(undone.email == owner.account.email)
        #expect(undone.apple?.revokedAt == nil)
        await expect(.credentialsInvalid) { try await service.signIn("maya", "battery staple") }
        #expect(try await service.signIn(world.nativeRequest()).account.id == owner.account.id)
        // The link stays valid for the password.
        #expect(try await self.undo(undo, "battery staple").username == nil)
    }

    @Test("is sent only to an address that was the account's for a week or since it was made")
    func age() async throws {
        let owner = try await service.createProved(in: world)
        _ = try await change(to: "new@example.com", by: owner)
        let early = try await change(to: "next@example.com", by: owner)
        #expect(early.address == "new@example.com" && early.linkToken == nil)
        world.time.advance(bySeconds: 7 * 86_400)
        let late = try await change(to: "last@example.com", by: service.signIn())
        #expect(late.address == "next@example.com" && late.linkToken != nil)
        let back = try await undo(late)
        #expect(back.undoAddress(at: world.time.now) == "next@example.com", "its age was lost")
    }

    @Test("works for a week")
    func late() async throws {
        let owner = try await service.createProved(in: world)
        let undo = try await change(to: "new@example.com", by: owner)
        world.time.advance(bySeconds: 7 * 86_400)
        await expect(.linkInvalid) { try await self.undo(undo) }
        await expect(.linkInvalid) {
            try await service.account(undoToken: undo.linkToken ?? "")
        }
    }

    @Test("takes no new password for an account that had none, nor a weak one")
    func passwords() async throws {
        let owner = try await service.signIn(world.nativeRequest())
        _ = try await service.addPassword(username: "maya", requestedBy: owner.session)
        let first = try #require(try await world.mails().last { $0.kind == .passwordChanged })
        await expect(.usernameRequired) { try await undo(first, "battery staple") }
        let second = try await change(to: "new@example.com", by: owner)
        await expect(.passwordTooShort) { try await undo(second, "short") }
        #expect(try await undo(second).username == "maya")
        #expect(try await undo(first).username == nil)
    }

    @Test("does nothing for a link of another purpose, and sets no password as one")
    func purposes() async throws {
        let owner = try await service.createProved(in: world)
        let undo = try await change(to: "new@example.com", by: owner)
        try await service.requestPasswordReset(for: "maya", client: client)
        let reset = try await world.link(.passwordReset)
        for wrong in [reset, owner.token.text, "", String(repeating: "x", count: 50_000)] {
            await expect(.linkInvalid) {
                try await service.undoChange(token: wrong, client: client)
            }
        }
        await expect(.linkInvalid) {
            try await service.resetPassword(
                token: undo.linkToken ?? "",
                to: "battery staple",
                client: client
            )
        }
    }

    /// Changes the address and confirms it; the mail that the former address gets.
    private func change(to address: String, by receipt: SignInReceipt) async throws -> MailOrder {
        world.time.advance(bySeconds: 1)
        _ = try await service.changeEmail(
            to: address,
            of: try await service.account(of: receipt),
            requestedBy: receipt.session,
            client: intruder
        )
        let link = try await world.link(.verification)
        _ = try await service.verifyEmail(token: link, requestedBy: receipt.session)
        return try #require(try await world.mails().last { $0.kind == .emailChanged })
    }

    @discardableResult
    private func undo(_ mail: MailOrder, _ password: String? = nil) async throws -> Account {
        let token = mail.linkToken ?? ""
        return try await service.undoChange(token: token, newPassword: password, client: client)
    }
}
