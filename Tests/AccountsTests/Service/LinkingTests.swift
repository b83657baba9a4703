import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import SignInWithApple
import Testing

@Suite("Linking Apple to an account with a password", AccountsWorld.lending) struct LinkingTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let mayasAddress = "maya@example.com"

    @Test("and unlinking it again reaches Apple, and keeps the password")
    func linkAndUnlink() async throws {
        let made = try await service.create()
        let linked = try await service.link(world.nativeRequest(), to: made)
        #expect(linked.apple?.clientID == "com.example.juice")
        #expect(linked.name?.text == "Maya Lindgren")
        #expect(linked.email?.text == mayasAddress)
        #expect(try await service.credentialState(of: linked) == .authorized)
        let unlinked = try await service.unlinkApple(requestedBy: made.session)
        #expect(unlinked.apple == nil && unlinked.username == "maya")
        #expect(try await service.credentialState(of: unlinked) == .notFound)
        // Whoever linked it may have been somebody else: a real address stays, and waits to be proved here.
        #expect(unlinked.email?.text == mayasAddress && unlinked.email?.isOwn == true)
        #expect(!unlinked.emailDeliverable)
        try await service.requestPasswordReset(for: mayasAddress, client: ClientDescription())
        #expect(try await world.mails().allSatisfy { $0.kind != .passwordReset })
        try await world.worker().drain()
        #expect(await world.statuses(of: ApplePath.revoke) == [200])
        #expect(try await world.stateAtApple() != "authorized")
        await expect(.appleNotLinked) { try await service.unlinkApple(requestedBy: made.session) }
        try await service.signIn()
    }

    @Test("and unlinking it ends other sessions opened with Apple, but no others")
    func sessions() async throws {
        let made = try await service.create()
        _ = try await service.link(world.nativeRequest(), to: made)
        let apple = try await service.signIn(world.nativeRequest())
        let other = try await service.signIn()
        _ = try await service.unlinkApple(requestedBy: made.session)
        #expect(await !world.signedIn(apple, in: service))
        #expect(await world.signedIn(other, in: service))
        let left = try await service.sessions(of: made.session)
        #expect(left.map(\.signInMethod) == [.password, .password])
    }

    @Test("keeps a relay address only as long as the link")
    func relay() async throws {
        let made = try await service.create()
        let linked = try await service.link(world.nativeRequest(hidesEmail: true), to: made)
        #expect(linked.email?.isPrivateRelay == true)
        let unlinked = try await service.unlinkApple(requestedBy: made.session)
        #expect(unlinked.email == nil && !unlinked.emailDeliverable)
    }

    @Test(
        "sends the mail about its end to a relay address before the revocation may close it",
        arguments: [MailOrder.Kind.appleUnlinked, .accountDeleted]
    )
    func hiddenAddressIsTold(kind: MailOrder.Kind) async throws {
        let made = try await service.create()
        let linked = try await service.link(world.nativeRequest(hidesEmail: true), to: made)
        if kind == .appleUnlinked {
            _ = try await service.unlinkApple(requestedBy: made.session)
        } else {
            try await service.deleteAccount(made.session, of: linked, client: ClientDescription())
        }
        let failing = MailSender { _, _ throws(MailFailure) in
            throw MailFailure("smtp_451", isRetryable: true, hint: "later")
        }
        try await world.worker(mail: failing).drain()
        #expect(await world.statuses(of: ApplePath.revoke).isEmpty)
        world.time.advance(bySeconds: 2)
        let mails = try await world.mails()
        #expect(mails.map(\.kind) == [kind])
        #expect(mails.map(\.address) == [linked.email?.text])
        try await world.worker().drain()
        #expect(await world.statuses(of: ApplePath.revoke) == [200])
    }

    @Test("and its end reaches Apple after an hour, even if mail to the relay address fails")
    func relayOutOfReach() async throws {
        let made = try await service.create()
        _ = try await service.link(world.nativeRequest(hidesEmail: true), to: made)
        _ = try await service.unlinkApple(requestedBy: made.session)
        let failing = MailSender { _, _ throws(MailFailure) in
            throw MailFailure("smtp_451", isRetryable: true, hint: "later")
        }
        world.time.advance(bySeconds: 3599)
        try await world.worker(mail: failing).drain()
        #expect(await world.statuses(of: ApplePath.revoke).isEmpty)
        world.time.advance(bySeconds: 1)
        try await world.worker(mail: failing).drain()
        #expect(await world.statuses(of: ApplePath.revoke) == [200])
    }

    @Test("causes a mail, and so does unlinking")
    func notices() async throws {
        let made = try await service.createProved(email: "own@example.com", in: world)
        _ = try await service.link(world.nativeRequest(), to: made)
        _ = try await service.unlinkApple(requestedBy: made.session)
        let mails = try await world.mails()
        #expect(Set(mails.map(\.kind)) == [.appleLinked, .appleUnlinked])
        #expect(mails.allSatisfy { $0.address == "own@example.com" })
        #expect(mails.filter(\.undoesChange).map(\.kind) == [.appleUnlinked])
    }

    @Test("is refused for an Apple Account that is linked to another account")
    func elsewhere() async throws {
        let owner = try await service.signIn(world.nativeRequest())
        let made = try await service.create()
        let request = try await world.nativeRequest()
        await expect(.appleLinkedElsewhere) { try await service.link(request, to: made) }
        #expect(try await service.signIn(world.nativeRequest()).account.id == owner.account.id)
        let account = try await service.account(of: made)
        #expect(account.apple == nil && account.email == nil && account.name == nil)
    }

    @Test("is refused while another Apple Account is linked, before the code is exchanged")
    func otherLink() async throws {
        let made = try await service.create()
        _ = try await service.link(world.nativeRequest(), to: made)
        let spent = await world.statuses(of: ApplePath.token).count
        let noah = try await world.nativeRequest(for: "noah@example.com")
        await expect(.appleLinkExists) { try await service.link(noah, to: made) }
        #expect(await world.statuses(of: ApplePath.token).count == spent)
        let account = try await service.account(of: made)
        let other = try await service.signIn(world.nativeRequest(for: "noah@example.com"))
        #expect(other.account.id != account.id)
    }

    @Test("requires a recent sign-in before the code is exchanged, and so does unlinking")
    func staleSession() async throws {
        let made = try await service.create()
        world.time.advance(bySeconds: 601)
        let request = try await world.nativeRequest()
        await expect(.recentSignInRequired) { try await service.link(request, to: made) }
        #expect(await world.statuses(of: ApplePath.token).isEmpty)
        await expect(.recentSignInRequired) {
            try await service.linkApple(
                service.check(request),
                grant: nil,
                requestedBy: made.session
            )
        }
        let fresh = try await service.signIn()
        _ = try await service.link(request, to: fresh)
        world.time.advance(bySeconds: 601)
        await expect(.recentSignInRequired) {
            try await service.unlinkApple(requestedBy: fresh.session)
        }
    }

    @Test("is refused to a session that has just ended")
    func endedSession() async throws {
        let made = try await service.create()
        let request = try await world.nativeRequest()
        try await service.signOut(made.session)
        await expect(.sessionInvalid) {
            try await service.linkApple(
                service.check(request),
                grant: nil,
                requestedBy: made.session
            )
        }
        await expect(.sessionInvalid) { try await service.unlinkApple(requestedBy: made.session) }
        #expect(try await service.signIn(request).account.id != made.account.id)
    }

    @Test("accepts an identity token once, for any use")
    func replay() async throws {
        let maya = try await service.create()
        let noah = try await service.create("noah")
        let request = try await world.nativeRequest()
        _ = try await service.link(request, to: maya)
        await expect(.tokenReplayed) { try await service.link(request, to: maya) }
        await expect(.tokenReplayed) { try await service.link(request, to: noah) }
        await expect(.tokenReplayed) { try await service.signIn(request) }
    }

    @Test("connects an Apple Account to the account with the same verified address, with its name")
    func accountExists() async throws {
        let made = try await service.createProved(email: "Maya@Example.com", in: world)
        let first = try await world.nativeRequest()
        #expect(first.name != nil)
        await expect(.accountExists) { try await service.signIn(first) }
        #expect(await world.statuses(of: ApplePath.token).isEmpty, "the code was spent in vain")
        // Apple tells the name only once: it was kept.
        let second = try await world.nativeRequest()
        #expect(second.name == nil)
        let linked = try await service.link(second, to: made)
        #expect(linked.name?.text == "Maya Lindgren")
        #expect(linked.id == made.account.id)
        #expect(try await service.signIn(world.nativeRequest()).account.id == made.account.id)
    }

    @Test("never happens by email address: an unverified one, or a username, takes nothing over")
    func noTakeover() async throws {
        let squatter = try await service.create("maya@example.com")
        #expect(squatter.account.email?.isVerified == false)
        let maya = try await service.signIn(world.nativeRequest())
        #expect(maya.isNewAccount && maya.account.id != squatter.account.id)
        let account = try await service.account(of: squatter)
        #expect(account.apple == nil && account.name == nil)
    }

    @Test("can't be undone without another sign-in method")
    func lastWayIn() async throws {
        let apple = try await service.signIn(world.nativeRequest())
        await expect(.lastWayIn) { try await service.unlinkApple(requestedBy: apple.session) }
        #expect(await world.statuses(of: ApplePath.revoke).isEmpty)
        #expect(try await service.outboxBacklog().waitingCount == 0)
    }

    @Test("ends when consent is withdrawn at Apple; the password still works")
    func consentWithdrawn() async throws {
        let made = try await service.create()
        _ = try await service.link(world.nativeRequest(), to: made)
        let apple = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 60)
        try await world.apple.emulator.stopUsing(mayasAddress, clientID: "com.example.juice")
        #expect(await world.deliver(to: service) == [200])
        #expect(await !world.signedIn(apple, in: service))
        let account = try await service.account(of: made)
        #expect(try await service.credentialState(of: account) == .revoked)
        try await service.signIn()
        let unlinked = try await service.unlinkApple(
            requestedBy: try await service.signIn().session
        )
        #expect(unlinked.apple == nil)
    }

    @Test("ends with the Apple Account; the account, its name and its own email address stay")
    func appleAccountDeleted() async throws {
        let made = try await service.createProved(email: "own@example.com", in: world)
        _ = try await service.link(world.nativeRequest(), to: made)
        world.time.advance(bySeconds: 60)
        try await world.apple.emulator.deletePerson(mayasAddress)
        #expect(await world.deliver(to: service) == [200])
        let after = try await service.signIn()
        #expect(after.account.id == made.account.id)
        #expect(after.account.apple == nil)
        #expect(after.account.email?.text == "own@example.com")
        #expect(after.account.name?.text == "Maya Lindgren")
        let tokens = try await contents(of: world.sqlite).filter {
            $0.hasPrefix("apple_refresh_tokens:")
        }
        #expect(tokens.isEmpty)
    }

    @Test("to two accounts at the same time succeeds for one of them")
    func race() async throws {
        let both = [try await service.create("maya1"), try await service.create("maya2")]
        let requests = [try await world.nativeRequest(), try await world.nativeRequest()]
        let codes = await withTaskGroup { group in
            for (receipt, request) in zip(both, requests) {
                group.addTask {
                    await code { () async throws(AccountsError) in
                        try await service.linkApple(
                            service.check(request),
                            grant: nil,
                            requestedBy: receipt.session
                        )
                    }
                }
            }
            return await group.reduce(into: [AccountsError.Code?]()) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == 1)
        #expect(codes.contains(.appleLinkedElsewhere))
    }
}
