import AccountStoreConformance
import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("The rules of a change") struct AccountChangeRuleTests {
    private let start = SampleSignIn.start
    private let maya = SamplePassword()

    @Test("write nothing for a refused change of any kind")
    func refusals() {
        let fresh = maya.caller(since: start.addingTimeInterval(1))
        let cases: [(AccountChange, AccountChangeFacts, AccountsError)] = [
            (change(.unlinkApple("e")), AccountChangeFacts(account: account), .sessionInvalid),
            (change(.unlinkApple("e")), facts(session: other), .sessionInvalid),
            (change(.unlinkApple("e"), caller: fresh), facts(), .recentSignInRequired),
            (change(.unlinkApple("e")), facts(), .appleNotLinked),
            (change(.unlinkApple("e")), facts(account: appleOnly), .lastWayIn),
            (change(linking), facts(signIn: SignInFacts(account: stranger)), .appleLinkedElsewhere),
            (
                change(linking), facts(account: linkedToNoah, signIn: SignInFacts()),
                .appleLinkExists
            ),
            (
                change(linking), facts(signIn: SignInFacts(isTokenUsed: true)),
                .tokenReplayed
            ),
            (change(linking), facts(signIn: SignInFacts(isNonceUsed: true)), .nonceUsed),
            (change(password(checked: maya.stored)), facts(hash: "another"), .credentialsInvalid),
            (change(password(checked: nil)), facts(), .credentialsInvalid),
            (
                change(password(checked: nil)), facts(account: appleOnly, hash: nil),
                .usernameRequired
            ),
            (
                change(password(checked: nil, username: "noah")),
                facts(account: appleOnly, hash: nil, accountOfUsername: "b"), .usernameTaken
            ),
            (change(.verifyEmail(link)), facts(), .linkInvalid),
            (change(.verifyEmail(link)), facts(token: token(.passwordReset)), .linkInvalid),
            (change(.verifyEmail(link)), facts(token: token(.verification, of: "b")), .linkInvalid),
            (
                change(.verifyEmail(link)),
                facts(account: waiting(for: "b@example.com"), token: token(.verification)),
                .linkInvalid
            ),
            (change(.resetPassword(link, hash: "new"), caller: nil), facts(), .linkInvalid),
            (
                change(.resetPassword(link, hash: "new"), caller: nil),
                facts(token: token(.verification)), .linkInvalid
            ),
            (
                change(.resetPassword(link, hash: "new"), caller: nil),
                facts(account: appleOnly, token: token(.passwordReset)), .linkInvalid
            ),
            (change(emailChange), facts(throttles: [blocked]), .tooManyAttempts(seconds: 7)),
        ]
        for (change, facts, refusal) in cases {
            let decision = change.decision(given: facts)
            #expect(decision.answer == .failure(refusal))
            #expect(decision.writes.isEmpty)
        }
    }

    @Test("write nothing for a repeated change, and return the same result")
    func repeated() {
        for kind in [
            linking, password(checked: maya.stored), .unlinkApple("e"), emailChange,
            .verifyEmail(link), .cancelEmailChange,
        ] as [AccountChange.Kind] {
            var facts = facts()
            facts.isDone = true
            let decision = change(kind).decision(given: facts)
            #expect(decision.answer == .success(account))
            #expect(decision.writes.isEmpty)
        }
    }

    @Test("remember the idempotency key only when something changed")
    func idempotencyKeys() {
        let one = change(.unlinkApple("e"))
        let two = change(.unlinkApple("e"))
        #expect(one.idempotencyKey != two.idempotencyKey)
        let decision = change(password(checked: maya.stored)).decision(given: facts())
        let keys = decision.writes.count { if case .useOnce = $0 { true } else { false } }
        #expect(keys == 1)
    }

    @Test("end all other sessions for a new password, and all for a reset link")
    func sessions() {
        let changed = change(password(checked: maya.stored)).decision(given: facts())
        #expect(
            changed.writes.contains(.removeSessions(of: maya.account, except: maya.session.session))
        )
        let reset = change(.resetPassword(link, hash: "new"), caller: nil)
            .decision(given: facts(token: token(.passwordReset)))
        #expect(reset.writes.contains(.removeSessions(of: maya.account, except: nil)))
        for decision in [changed, reset] {
            #expect(
                decision.writes.contains(
                    .removeMailTokens(of: maya.account, purpose: .passwordReset)
                )
            )
        }
    }

    @Test("affect only the requesting account")
    func ownAccount() {
        for kind in [linking, password(checked: maya.stored), .unlinkApple("e"), emailChange]
            as [AccountChange.Kind]
        {
            var facts = facts(account: linked, signIn: SignInFacts(account: linked))
            facts.refreshTokens = [
                RefreshToken(id: "t", clientID: "c", sealedToken: "s", receivedAt: start)
            ]
            for write in change(kind).decision(given: facts).writes {
                guard case .updateAccount(let updated) = write else { continue }
                #expect(updated.id == maya.account)
            }
        }
    }

    @Test("revoke each refresh token when Apple is unlinked, with identifiers that stay the same")
    func revocations() throws {
        var facts = facts(account: linked)
        facts.refreshTokens = ["one", "two"].map {
            RefreshToken(
                id: RefreshTokenID($0),
                clientID: ClientID($0),
                sealedToken: $0,
                receivedAt: start
            )
        }
        let decision = change(.unlinkApple("entry")).decision(given: facts)
        let entries = decision.writes.compactMap { write -> OutboxEntry? in
            if case .enqueue(let entry) = write { entry } else { nil }
        }
        #expect(entries.map(\.id) == ["entry-0", "entry-1"])
        #expect(decision.writes.contains(.removeRefreshTokens(of: maya.account)))
        let account = try decision.answer.get()
        #expect(account.apple == nil)
    }

    private let link = SecretHash(of: "link")
    private let throttleKey = SecretHash(of: "mail")

    private var account: Account {
        let email = EmailAddress.proved("maya@example.com")
        return Account(id: maya.account, email: email, username: "maya", createdAt: start)
    }

    private func waiting(for address: String) -> Account {
        var account = account
        account.pendingEmail = PendingEmail(address: address, session: maya.session.session)
        return account
    }

    private var appleOnly: Account { with(SampleSignIn().person, username: nil) }

    private var linked: Account { with(SampleSignIn().person, username: "maya") }

    private var linkedToNoah: Account {
        with(ApplePerson(issuer: "https://appleid.apple.com", user: "noah"), username: "maya")
    }

    private var stranger: Account { Account(id: "stranger", createdAt: start) }

    private var blocked: Throttle { .sample(throttleKey, count: 3, blockedFor: 7) }

    private func with(_ person: ApplePerson, username: String?) -> Account {
        let link = AppleLink.sample(person, clientID: "c")
        return Account(id: maya.account, username: username, apple: link, createdAt: start)
    }

    private var session: Session { session(of: maya.account) }

    private var other: Session { session(of: "other") }

    private func session(of account: AccountID) -> Session {
        .sample(maya.session.session, of: account)
    }

    private var linking: AccountChange.Kind { SampleSignIn().linking }

    private var emailChange: AccountChange.Kind {
        let use = ThrottleUse(key: throttleKey, policy: .mailByAccount)
        return .changeEmail(.init(token: token(.verification), throttles: [use]))
    }

    private func password(checked: StoredPassword?, username: String? = nil) -> AccountChange.Kind {
        .changePassword(
            .init(username: username.flatMap { try? Username($0) }, checked: checked, hash: "new")
        )
    }

    private func token(_ purpose: MailToken.Purpose, of account: AccountID? = nil) -> MailToken {
        MailToken(
            hash: link,
            account: account ?? maya.account,
            purpose: purpose,
            address: "maya@example.com",
            expiresAt: start.addingTimeInterval(60)
        )
    }

    private func change(_ kind: AccountChange.Kind) -> AccountChange {
        change(kind, caller: maya.caller())
    }

    private func change(_ kind: AccountChange.Kind, caller: AccountChange.Caller?) -> AccountChange
    {
        AccountChange(kind: kind, caller: caller, now: start)
    }

    private func facts(
        account: Account? = nil,
        session: Session? = nil,
        hash: String? = "a hash",
        accountOfUsername: AccountID? = nil,
        token: MailToken? = nil,
        signIn: SignInFacts? = nil,
        throttles: [Throttle] = []
    ) -> AccountChangeFacts {
        AccountChangeFacts(
            account: account ?? self.account,
            session: session ?? self.session,
            password: hash.map {
                StoredPassword(account: maya.account, hash: $0, changedAt: start)
            },
            accountOfUsername: accountOfUsername,
            mailToken: token,
            signIn: signIn,
            throttles: throttles
        )
    }
}
