import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let eventChecks: [Check] = [
        Check("an end of consent ends sessions, drops tokens and keeps the account") { store in
            let (native, web, account) = try await signedInTwice(store)
            let outcome = try await store.apply(event(.consentRevoked, at: 10))
            try expect(outcome == .applied(account.id))
            for sample in [native, web] { try expect(try await store.session(of: sample) == nil) }
            let back = later(30)
            let again = try await store.signIn(back)
            try expect(!again.isNewAccount)
            try expect(again.signedIn.account.id == account.id)
            try expect(again.signedIn.account.name == "Maya")
            try expect(again.signedIn.account.apple?.revokedAt == nil)
            try expect(again.signedIn.account.apple?.linkedAt == back.now)
            let deleted = try await store.deleteAccount(deletion(of: account.id, by: back))
            try expect(deleted == .success(0), "a revoked token was kept")
        },
        Check("an end at Apple ends the sessions opened with Apple, not with a password") { store in
            for (name, change) in [
                ("maya", AppleEvent.Change.consentRevoked), ("noah", .accountDeleted),
            ] {
                let maya = try await store.create(SamplePassword(username: name))
                var (linked, phone) = (SampleSignIn(), SampleSignIn())
                (linked.user, phone.user) = (UserID(name), UserID(name))
                _ = try await store.change(link(linked, to: maya))
                try await store.signIn(phone)
                let outcome = try await store.apply(event(change, at: 10, user: UserID(name)))
                try expect(outcome == .applied(maya.account))
                try await expectSessions([maya.session], ended: [phone], in: store)
            }
        },
        Check("a link shows that its consent has ended") { store in
            let (_, _, account) = try await signedInTwice(store)
            _ = try await store.apply(event(.consentRevoked, at: 10))
            let shown = try await store.rename(account.id, to: "Maya")
            try expect(shown?.apple?.revokedAt == start.addingTimeInterval(10))
        },
        Check("an end of consent before the latest sign-in changes nothing") { store in
            try await store.signIn(SampleSignIn())
            let back = later(30)
            let account = try await store.signIn(back).signedIn.account
            for change in [AppleEvent.Change.consentRevoked, .accountDeleted] {
                try expect(try await store.apply(event(change, at: 29)) == .superseded(account.id))
            }
            try expect(try await store.session(of: back, now: back.now)?.account == account)
        },
        Check("an identity token from before the end of consent is refused") { store in
            let old = later(20, issuedAt: 5)
            for (change, user) in [
                (AppleEvent.Change.consentRevoked, UserID("000001.maya")),
                (.accountDeleted, UserID("000002.noah")),
            ] {
                let first = SampleSignIn(user: user)
                var late = old
                late.user = user
                try await store.signIn(first)
                _ = try await store.apply(event(change, at: 10, user: user))
                try expect(try await store.beginSignIn(late.check) == .consentRevoked)
                try expect(try await store.refusal(completing: late) == .consentRevoked)
            }
        },
        Check("a first sign-in during the end of consent creates no account") { store in
            let sample = SampleSignIn()
            try expect(try await store.beginSignIn(sample.check) == nil)
            try expect(try await store.apply(event(.consentRevoked, at: 10)) == .unknownPerson)
            try expect(try await store.refusal(completing: sample) == .consentRevoked)
        },
        Check("a deleted Apple Account deletes the account without revocations") { store in
            let (_, web, account) = try await signedInTwice(store)
            let outcome = try await store.apply(event(.accountDeleted, at: 10))
            try expect(outcome == .applied(account.id))
            try expect(try await store.session(of: web) == nil)
            try expect(try await store.rename(account.id, to: "Maya") == nil)
            try expect(try await store.claimEntries(claim(by: "worker")).isEmpty)
        },
        Check("an event is processed once, by notification and by event") { store in
            let sample = SampleSignIn()
            let account = try await store.signIn(sample).signedIn.account
            let first = try await store.apply(event(.consentRevoked, at: 10, id: "a"))
            try expect(first == .applied(account.id))
            for (id, time) in [("a", 10.0), ("b", 10), ("a", 20)] {
                let again = try await store.apply(event(.consentRevoked, at: time, id: id))
                try expect(again == .repeated)
            }
            let other = try await store.apply(event(.consentRevoked, at: 20, id: "c"))
            try expect(other == .applied(account.id))
        },
        Check("a notification is remembered until it expires") { store in
            try await store.signIn(SampleSignIn())
            _ = try await store.apply(event(.consentRevoked, at: 10))
            let remembered = event(.consentRevoked, at: 10, now: 86_399)
            try expect(try await store.apply(remembered) == .repeated)
            let forgotten = event(.consentRevoked, at: 10, now: 86_400)
            try expect(try await store.apply(forgotten) != .repeated)
        },
        Check("events of other users or issuers change no account") { store in
            let sample = SampleSignIn()
            let account = try await store.signIn(sample).signedIn.account
            let stranger = try await store.apply(event(.accountDeleted, at: 10, user: "000009.eve"))
            try expect(stranger == .unknownPerson)
            let issuer = try await store.apply(
                event(.accountDeleted, at: 10, issuer: "https://account.apple.com")
            )
            try expect(issuer == .unknownPerson)
            try expect(try await store.session(of: sample)?.account == account)
        },
    ]

    /// Signs Maya in from the app and from the web, each with a refresh token.
    private static func signedInTwice(
        _ store: AccountStore
    ) async throws -> (native: SampleSignIn, web: SampleSignIn, account: Account) {
        let native = SampleSignIn(name: "Maya", refreshToken: "native token")
        let web = SampleSignIn(clientID: "com.example.juice.web", refreshToken: "web token")
        try await store.signIn(native)
        return (native, web, try await store.signIn(web).signedIn.account)
    }

    static func later(_ seconds: TimeInterval, issuedAt: TimeInterval? = nil) -> SampleSignIn {
        var sample = SampleSignIn(now: start.addingTimeInterval(seconds))
        sample.issuedAt = issuedAt.map { start.addingTimeInterval($0) }
        return sample
    }

    /// Creates an event that is a number of seconds after the first sign-in.
    package static func event(
        _ change: AppleEvent.Change,
        at seconds: TimeInterval,
        id: String = UUID().uuidString,
        user: UserID = "000001.maya",
        issuer: String = "https://appleid.apple.com",
        now: TimeInterval? = nil
    ) -> AppleEvent {
        AppleEvent(
            person: ApplePerson(issuer: issuer, user: user),
            change: change,
            eventTime: start.addingTimeInterval(seconds),
            notificationID: id,
            rememberedUntil: start.addingTimeInterval(86_400),
            now: start.addingTimeInterval(now ?? seconds)
        )
    }
}
