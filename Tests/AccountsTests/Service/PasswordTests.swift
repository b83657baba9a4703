import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@testable import Accounts

@Suite("Accounts with a password", AccountsWorld.lending) struct PasswordTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    @Test("are created and signed in to with any spelling of the username")
    func signIn() async throws {
        let made = try await service.create("Maya", name: " Maya L. ")
        #expect(made.isNewAccount)
        #expect(made.account.username == "maya")
        #expect(made.account.name == " Maya L. ")
        #expect(made.account.apple == nil && made.account.email == nil)
        let again = try await service.signIn(" ＭＡＹＡ ")
        #expect(!again.isNewAccount)
        #expect(again.account == made.account)
        #expect(again.token != made.token)
        for receipt in [made, again] { #expect(await world.signedIn(receipt, in: service)) }
    }

    @Test("accept the same characters in any composition, and no others")
    func composition() async throws {
        _ = try await service.create(password: "correct horse e\u{301}")
        try await service.signIn("maya", "correct horse \u{E9}")
        try await service.signIn("maya", "correct horse e\u{301}")
        for wrong in ["correct horse e", "correct horse \u{E9} ", "Correct horse \u{E9}"] {
            await expect(.credentialsInvalid) { try await service.signIn("maya", wrong) }
        }
    }

    @Test("have a unique username")
    func taken() async throws {
        let made = try await service.create()
        await expect(.usernameTaken) { try await service.create("MAYA", password: "another one") }
        await expect(.credentialsInvalid) { try await service.signIn("maya", "another one") }
        try await service.deleteAccount(made.session)
        #expect(try await service.create().account.id != made.account.id)
    }

    @Test("return the same error for a wrong username, a wrong password and invalid values")
    func refused() async throws {
        _ = try await service.create()
        let huge = String(repeating: "x", count: 100_000)
        var hints: Set<String> = []
        for (name, password) in [
            ("maya", "wrong horse"), ("nobody", AccountsWorld.password), ("", ""), ("maya", ""),
            ("a\u{0}b", AccountsWorld.password), (huge, AccountsWorld.password), ("maya", huge),
            ("maya' OR 1=1 --", AccountsWorld.password),
        ] {
            let from = ClientDescription(address: "\(name.prefix(9))\(password.count)")
            let error = await #expect(throws: AccountsError.self) {
                try await service.signIn(name, password, from: from)
            }
            #expect(error?.code == .credentialsInvalid)
            hints.insert("\(error?.hint ?? "") \(error?.parameters ?? [:])")
        }
        #expect(hints.count == 1)
    }

    @Test("report the error of a new one, and store nothing of it")
    func invalid() async throws {
        await expect(.usernameInvalid) { try await service.create("ma ya") }
        await expect(.passwordTooShort) { try await service.create(password: "1234567") }
        await expect(.passwordTooLong) {
            try await service.create(password: String(repeating: "x", count: 129))
        }
        await expect(.passwordTooCommon) { try await service.create(password: "Password") }
        await expect(.passwordIsUsername) {
            try await service.create("maya.lindgren", password: "Maya.Lindgren")
        }
        await expect(.nameTooLong) {
            try await service.create(name: String(repeating: "x", count: 201))
        }
        await expect(.nameEmpty) { try await service.create(name: "\u{200B}") }
        for email in ["maya", "maya@example", "maya@example.com\r\nBcc: all@example.com", ""] {
            await expect(.emailInvalid) { try await service.create(email: email) }
        }
        let rows = try await contents(of: world.sqlite).filter { $0.hasPrefix("accounts:") }
        #expect(rows.isEmpty)
    }

    @Test("refuse words that are guessed first, whenever a password is set")
    func obvious() async throws {
        var world = world
        world.configuration.appName = "Orange Juice"
        let service = world.service()
        let words = ["orange juice", "MAYA LINDGREN", "Maya.L.42@example.com", "maya.l.42"]
        for word in words {
            await expect(.passwordTooObvious) {
                try await service.create(
                    password: word,
                    name: "Maya Lindgren",
                    email: "maya.l.42@example.com"
                )
            }
        }
        let receipt = try await service.createProved(email: "maya.l.42@example.com", in: world)
        _ = try await service.rename(receipt.session, to: "Maya Lindgren")
        for word in words {
            await expect(.passwordTooObvious) {
                _ = try await service.change(to: word, requestedBy: receipt.session)
            }
        }
        try await service.requestPasswordReset(for: "maya", client: ClientDescription())
        let token = try await world.link(.passwordReset)
        for word in words {
            await expect(.passwordTooObvious) {
                try await service.resetPassword(token: token, to: word, client: ClientDescription())
            }
        }
        try await service.signIn()
    }

    @Test("end the client's previous session")
    func previousSession() async throws {
        let first = try await service.create()
        let client = ClientDescription(previousSessionToken: first.token.text)
        let second = try await service.signIn(from: client)
        #expect(await !world.signedIn(first, in: service))
        #expect(await world.signedIn(second, in: service))
    }

    @Test("are hashed again at the next sign-in when the cost has changed")
    func rehash() async throws {
        var world = world
        _ = try await world.service().create()
        world.configuration.passwordCost = PasswordCost(
            logarithmOfRounds: 3,
            blockSize: 1,
            parallelism: 1
        )
        let service = world.service()
        await expect(.credentialsInvalid) { try await service.signIn("maya", "wrong horse") }
        #expect(try await hashes().allSatisfy { $0.contains("ln=2") })
        try await service.signIn()
        #expect(try await hashes().allSatisfy { $0.contains("ln=3") })
        try await service.signIn()
    }

    @Test("refuse the sign-in when the stored hash is damaged")
    func damaged() async throws {
        _ = try await service.create()
        for text in ["", "plain", "$scrypt$ln=20,r=16,p=16$AAAA$AAAA"] {
            try await execute("UPDATE passwords SET hash = '\(text)'", on: world.sqlite)
            await expect(.credentialsInvalid) { try await service.signIn() }
        }
    }

    @Test("change it with the current one, which ends all other sessions and causes a mail")
    func change() async throws {
        let made = try await service.createProved(in: world)
        let other = try await service.signIn(from: ClientDescription(device: "a phone"))
        // Not a fresh sign-in: the current password proves more.
        world.time.advance(bySeconds: 3600)
        await expect(.credentialsInvalid) {
            try await service.change(
                from: "wrong horse",
                to: "battery staple",
                requestedBy: made.session
            )
        }
        await expect(.credentialsInvalid) {
            try await service.change(from: nil, to: "battery staple", requestedBy: made.session)
        }
        await expect(.passwordTooShort) {
            try await service.change(to: "staple", requestedBy: made.session)
        }
        #expect(await world.signedIn(other, in: service))
        _ = try await world.mails()
        _ = try await service.change(to: "battery staple", requestedBy: made.session)
        #expect(await world.signedIn(made, in: service))
        #expect(await !world.signedIn(other, in: service))
        let mails = try await world.mails()
        #expect(mails.map(\.kind) == [.passwordChanged])
        #expect(mails.map(\.address) == ["maya@example.com"])
        await expect(.credentialsInvalid) { try await service.signIn() }
        try await service.signIn("maya", "battery staple")
    }

    @Test("change nothing for an ended session, or another account's")
    func foreign() async throws {
        let maya = try await service.create()
        let noah = try await service.create("noah", password: "battery staple")
        await expect(.credentialsInvalid) {
            try await service.change(to: "a third one", requestedBy: noah.session)
        }
        try await service.signOut(maya.session)
        await expect(.sessionInvalid) {
            try await service.change(to: "a third one", requestedBy: maya.session)
        }
        try await service.signIn()
    }

    @Test("linked to Apple get a first password with a recent sign-in and a free username")
    func firstPassword() async throws {
        _ = try await service.create("taken", password: "battery staple")
        let old = try await service.signIn(world.nativeRequest())
        await expect(.usernameRequired) {
            try await service.change(
                from: nil,
                to: AccountsWorld.password,
                requestedBy: old.session
            )
        }
        await expect(.usernameTaken) {
            try await service.addPassword(username: "Taken", requestedBy: old.session)
        }
        world.time.advance(bySeconds: 601)
        await expect(.recentSignInRequired) {
            try await service.addPassword(username: "maya", requestedBy: old.session)
        }
        let fresh = try await service.signIn(world.nativeRequest())
        let account = try await service.addPassword(username: "Maya", requestedBy: fresh.session)
        #expect(account.username == "maya" && account.apple != nil)
        #expect(await !world.signedIn(old, in: service))
        #expect(try await service.signIn().account.id == old.account.id)
        // From now on the current one is asked for.
        await expect(.credentialsInvalid) {
            try await service.addPassword(
                "a third one",
                username: "other",
                requestedBy: fresh.session
            )
        }
    }

    @Test(
        "keep name, email address and sessions when Apple is linked, and accept both sign-in methods"
    )
    func upgrade() async throws {
        let made = try await service.createProved(email: "own@example.com", in: world)
        _ = try await service.rename(made.session, to: "Maya of the lake")
        let linked = try await service.link(world.nativeRequest(), to: made)
        #expect(linked.id == made.account.id)
        #expect(linked.name == "Maya of the lake")
        #expect(linked.email?.text == "own@example.com")
        #expect(linked.username == "maya" && linked.createdAt == made.account.createdAt)
        let byApple = try await service.signIn(world.webRequest())
        let byPassword = try await service.signIn()
        #expect(byApple.account.id == made.account.id && byPassword.account.id == made.account.id)
        #expect(byApple.account.email?.text == "own@example.com")
        #expect(await world.signedIn(made, in: service))
    }

    private func hashes() async throws -> [String] {
        try await contents(of: world.sqlite).filter { $0.hasPrefix("passwords:") }
    }
}
