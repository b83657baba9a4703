import Accounts
import Foundation
import SignInWithApple
import Testing

@Suite("Links of mails", AccountsWorld.lending) struct MailLinkTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let client = ClientDescription(device: "a laptop", address: "192.0.2.1", language: "de")

    @Test("verify an email address once, in the language of the request")
    func verification() async throws {
        let made = try await service.create(email: " Maya@example.com ", from: client)
        #expect(made.account.email?.text == "Maya@example.com")
        #expect(!made.account.emailDeliverable)
        let mails = try await world.mails()
        #expect(mails.map(\.kind) == [.verification])
        #expect(mails.map(\.address) == ["Maya@example.com"])
        #expect(mails.map(\.language) == ["de"])
        let token = try #require(mails.first?.linkToken)
        for wrong in [
            "", token + "A", String(token.dropLast()), String(token.reversed()),
            token.lowercased(),
        ] {
            await expect(.linkInvalid) {
                try await service.verifyEmail(token: wrong, requestedBy: made.session)
            }
        }
        #expect(
            try await service.verifyEmail(token: token, requestedBy: made.session).emailDeliverable
        )
        await expect(.linkInvalid) {
            try await service.verifyEmail(token: token, requestedBy: made.session)
        }
    }

    @Test("verify nothing for a stranger who got one by mistake, and stay valid")
    func stranger() async throws {
        let made = try await service.create(email: "stranger@example.com")
        let token = try await world.link(.verification)
        let stranger = try await service.create("stranger")
        await expect(.linkInvalid) {
            try await service.verifyEmail(token: token, requestedBy: stranger.session)
        }
        try await service.signOut(made.session)
        await expect(.sessionInvalid) {
            try await service.verifyEmail(token: token, requestedBy: made.session)
        }
        let again = try await service.signIn()
        let proved = try await service.verifyEmail(token: token, requestedBy: again.session)
        #expect(proved.emailDeliverable)
    }

    @Test("are valid for a day to verify an email address, and for half an hour to set a password")
    func lifetimes() async throws {
        let made = try await service.create(email: "maya@example.com")
        let first = try await world.link(.verification)
        world.time.advance(bySeconds: 86_400)
        await expect(.linkInvalid) {
            try await service.verifyEmail(token: first, requestedBy: made.session)
        }
        let again = try await service.signIn()
        try await service.requestVerification(by: again, client: client)
        let second = try await world.link(.verification)
        world.time.advance(bySeconds: 86_399)
        _ = try await service.verifyEmail(token: second, requestedBy: again.session)

        for (seconds, isGood) in [(1799.0, true), (1800, false)] {
            world.time.advance(bySeconds: 86_400)
            try await service.requestPasswordReset(for: "maya", client: client)
            let reset = try await world.link(.passwordReset)
            world.time.advance(bySeconds: seconds)
            if isGood {
                try await service.resetPassword(token: reset, to: "battery staple", client: client)
            } else {
                await expect(.linkInvalid) {
                    try await service.resetPassword(
                        token: reset,
                        to: "battery staple 2",
                        client: client
                    )
                }
            }
        }
        try await service.signIn("maya", "battery staple")
    }

    @Test("work only for their purpose")
    func purposes() async throws {
        let made = try await service.create(email: "maya@example.com")
        let verification = try await world.link(.verification)
        await expect(.linkInvalid) {
            try await service.resetPassword(
                token: verification,
                to: "battery staple",
                client: client
            )
        }
        _ = try await service.verifyEmail(token: verification, requestedBy: made.session)
        try await service.requestPasswordReset(for: "maya", client: client)
        let reset = try await world.link(.passwordReset)
        await expect(.sessionInvalid) { try await service.session(token: reset) }
        for wrong in [reset, made.token.text] {
            await expect(.linkInvalid) {
                try await service.verifyEmail(token: wrong, requestedBy: made.session)
            }
        }
    }

    @Test("set a password once, end all sessions, and cause a mail")
    func reset() async throws {
        let made = try await service.createProved(in: world)
        let other = try await service.signIn()
        for name in ["MAYA", " maya@EXAMPLE.com"] {
            try await service.requestPasswordReset(for: name, client: client)
        }
        let mails = try await world.mails()
        #expect(mails.map(\.kind) == [.passwordReset, .passwordReset])
        #expect(mails.allSatisfy { $0.address == "maya@example.com" })
        let tokens = mails.compactMap(\.linkToken)
        await expect(.passwordTooShort) {
            try await service.resetPassword(token: tokens[0], to: "short", client: client)
        }
        try await service.resetPassword(token: tokens[0], to: "battery staple", client: client)
        for receipt in [made, other] { #expect(await !world.signedIn(receipt, in: service)) }
        for token in tokens {
            await expect(.linkInvalid) {
                try await service.resetPassword(token: token, to: "a third one", client: client)
            }
        }
        #expect(try await world.mails().map(\.kind) == [.passwordChanged])
        await expect(.credentialsInvalid) { try await service.signIn() }
        try await service.signIn("maya", "battery staple")
    }

    @Test("to set a password are invalid once the password or the email address was changed")
    func overtaken() async throws {
        let made = try await service.createProved(in: world)
        try await service.requestPasswordReset(for: "maya", client: client)
        let first = try await world.link(.passwordReset)
        _ = try await service.change(to: "battery staple", requestedBy: made.session)
        await expect(.linkInvalid) {
            try await service.resetPassword(token: first, to: "a third one", client: client)
        }
        try await service.requestPasswordReset(for: "maya", client: client)
        let second = try await world.link(.passwordReset)
        try await service.changeEmail(to: "new@example.com", by: made, client: client)
        _ = try await service.verifyEmail(
            token: world.link(.verification),
            requestedBy: made.session
        )
        await expect(.linkInvalid) {
            try await service.resetPassword(token: second, to: "a third one", client: client)
        }
    }

    @Test("are not sent without an account, and the response does not reveal it")
    func unknown() async throws {
        _ = try await service.create("unproved", email: "unproved@example.com")
        _ = try await service.signIn(world.nativeRequest())
        _ = try await world.mails()
        for name in [
            "nobody", "nobody@example.com", "unproved", "unproved@example.com",
            "maya@example.com", "", "a\u{0}",
            String(repeating: "x", count: 100_000),
        ] {
            let from = ClientDescription(address: "\(name.utf8.count)")
            try await service.requestPasswordReset(for: name, client: from)
        }
        #expect(try await world.mails().isEmpty)
    }

    @Test(
        "to set a password are sent three times, then after waits, whether there is an account or not"
    )
    func resetThrottle() async throws {
        _ = try await service.createProved(in: world)
        for name in ["maya", "nobody"] {
            for number in 0..<3 {
                let from = ClientDescription(address: "192.0.2.\(number)")
                try await service.requestPasswordReset(for: name, client: from)
            }
            await expect(.tooManyAttempts) {
                try await service.requestPasswordReset(for: name, client: client)
            }
        }
        #expect(try await world.mails().count == 3)
        for number in 0..<20 {
            try? await service.requestPasswordReset(for: "name\(number)", client: client)
        }
        await expect(.tooManyAttempts) {
            try await service.requestPasswordReset(for: "another", client: client)
        }
    }

    @Test("to a new email address keep the current one until they are used")
    func emailChange() async throws {
        let made = try await service.createProved(in: world)
        let asked = try await service.changeEmail(to: "new@example.com", by: made, client: client)
        #expect(asked.email?.text == "maya@example.com" && asked.emailDeliverable)
        let mails = try await world.mails().filter { $0.kind == .verification }
        #expect(mails.map(\.address) == ["new@example.com"])
        let changed = try await service.verifyEmail(
            token: try #require(mails.first?.linkToken),
            requestedBy: made.session
        )
        #expect(changed.email?.text == "new@example.com" && changed.emailDeliverable)
        let told = try await world.mails().filter { $0.kind == .emailChanged }
        #expect(told.map(\.address) == ["maya@example.com"])
        // An identity token doesn't change what the person proved here.
        let linked = try await service.link(world.nativeRequest(), to: made)
        #expect(linked.email?.text == "new@example.com")
    }

    @Test("to a new email address require a recent sign-in and a valid address, and are limited")
    func emailChangeRefused() async throws {
        let made = try await service.create()
        for wrong in [
            "", "maya", "maya@example.com, all@example.com", "a@b@example.com",
            "maya@example.com\nX: y",
            "<maya@example.com>", String(repeating: "a", count: 300) + "@example.com",
        ] {
            await expect(.emailInvalid) {
                try await service.changeEmail(to: wrong, by: made, client: client)
            }
        }
        for number in 0..<3 {
            try await service.changeEmail(to: "maya\(number)@example.com", by: made, client: client)
        }
        await expect(.tooManyAttempts) {
            try await service.changeEmail(to: "maya@example.com", by: made, client: client)
        }
        world.time.advance(bySeconds: 601)
        await expect(.recentSignInRequired) {
            try await service.changeEmail(to: "maya@example.com", by: made, client: client)
        }
    }

    @Test("to verify an email address are sent again only while it is unverified")
    func nothingToProve() async throws {
        let proved = try await service.createProved(in: world)
        let none = try await service.create("noah")
        for receipt in [proved, none] {
            let account = try await service.account(of: receipt)
            await expect(.emailInvalid) {
                try await service.requestVerification(
                    of: account,
                    requestedBy: receipt.session,
                    client: client
                )
            }
        }
    }

    @Test("are not offered without a mail server, and nothing is queued")
    func withoutMail() async throws {
        let service = world.withPasswords(hasMail: false).service()
        let made = try await service.create("maya@example.com")
        #expect(made.account.email == nil)
        await expect(.mailUnavailable) {
            try await service.create("noah", email: "noah@example.com")
        }
        await expect(.mailUnavailable) {
            try await service.requestPasswordReset(for: "maya@example.com", client: client)
        }
        await expect(.mailUnavailable) {
            try await service.changeEmail(to: "maya@example.com", by: made, client: client)
        }
        _ = try await service.change(to: "battery staple", requestedBy: made.session)
        try await service.deleteAccount(made.session, of: made.account, client: client)
        #expect(try await service.outboxBacklog().waitingCount == 0)
    }

    @Test("and notices are sent only to verified email addresses to which Apple forwards")
    func undeliverable() async throws {
        let made = try await service.create(email: "maya@example.com")
        _ = try await world.mails()
        try await service.signIn(from: ClientDescription(device: "another device"))
        _ = try await service.change(to: "battery staple", requestedBy: made.session)
        #expect(try await world.mails().isEmpty)
    }

    @Test("are followed by notices about a new device, and about the account's deletion")
    func news() async throws {
        let made = try await service.createProved(in: world)
        try await service.signIn(from: client)
        #expect(try await world.mails().isEmpty, "the laptop was known")
        try await service.signIn(from: ClientDescription(device: "a phone", language: "de"))
        let news = try await world.mails()
        #expect(news.map(\.kind) == [.newSignIn])
        #expect(news.first?.device == "a phone" && news.first?.language == "de")
        let account = try await service.account(of: made)
        try await service.deleteAccount(made.session, of: account, client: client)
        let last = try await world.mails()
        #expect(last.map(\.kind) == [.accountDeleted])
        #expect(last.map(\.address) == ["maya@example.com"])
    }
}
