import Accounts
import AppleIdentity
import Foundation

extension AccountStoreConformance {
    private static let start = SampleSignIn.start

    static let eventChecks: [Check] = [
        Check(name: "the end of consent ends all sessions, drops the tokens, keeps the account") {
            store in
            let (native, web, account) = try await signedInTwice(store)
            let outcome = try await store.apply(event(.consentRevoked, at: 10))
            try expect(outcome == .applied(account.id))
            for sample in [native, web] {
                let found = try await store.session(tokenHash: sample.token.hash, now: start)
                try expect(found == nil)
            }
            let back = later(30)
            let again = try await store.signIn(back)
            try expect(!again.isNewAccount)
            try expect(again.signedIn.account.id == account.id)
            try expect(again.signedIn.account.name == "Maya")
            try expect(again.signedIn.account.apple?.revokedAt == nil)
            try expect(again.signedIn.account.apple?.linkedAt == back.now)
            let deleted = try await store.deleteAccount(deletion(of: account.id, by: back))
            try expect(deleted == .deleted(revocationCount: 0), "a dead token was kept")
        },
        Check(name: "what ends at Apple ends the sessions that Apple opened, not a password's") {
            store in
            for (name, change) in [
                ("maya", AppleEvent.Change.consentRevoked), ("noah", .accountDeleted),
            ] {
                var maya = SamplePassword()
                maya.username = name
                _ = try await store.createAccount(maya.creation)
                var (linked, phone) = (SampleSignIn(), SampleSignIn())
                (linked.user, phone.user) = (UserID(name), UserID(name))
                _ = try await store.change(link(linked, to: maya))
                try await store.signIn(phone)
                let outcome = try await store.apply(event(change, at: 10, user: UserID(name)))
                try expect(outcome == .applied(maya.account))
                try await expectSessions([maya.session], ended: [phone], in: store)
            }
        },
        Check(name: "a link whose consent has ended says so") { store in
            let (_, _, account) = try await signedInTwice(store)
            _ = try await store.apply(event(.consentRevoked, at: 10))
            let shown = try await store.rename(account.id, to: "Maya")
            try expect(shown?.apple?.revokedAt == start.addingTimeInterval(10))
        },
        Check(name: "an end of consent before the latest sign-in ends nothing") { store in
            try await store.signIn(SampleSignIn())
            let back = later(30)
            let account = try await store.signIn(back).signedIn.account
            for change in [AppleEvent.Change.consentRevoked, .accountDeleted] {
                let outcome = try await store.apply(event(change, at: 29))
                try expect(outcome == .superseded(account.id))
            }
            let found = try await store.session(tokenHash: back.token.hash, now: back.now)
            try expect(found?.account == account)
        },
        Check(name: "an identity token from before the end of consent signs nobody in") { store in
            let old = later(20, issuedAt: 5)
            for (change, user) in [
                (AppleEvent.Change.consentRevoked, UserID("000001.maya")),
                (.accountDeleted, UserID("000002.noah")),
            ] {
                var first = SampleSignIn()
                first.user = user
                var late = old
                late.user = user
                try await store.signIn(first)
                _ = try await store.apply(event(change, at: 10, user: user))
                let beginning = try await store.beginSignIn(late.attempt)
                try expect(beginning == .consentRevoked)
                let completing = try await store.refusal(completing: late)
                try expect(completing == .consentRevoked)
            }
        },
        Check(name: "a first sign-in under way when consent ends does not make an account") {
            store in
            let sample = SampleSignIn()
            let beginning = try await store.beginSignIn(sample.attempt)
            try expect(beginning == nil)
            let outcome = try await store.apply(event(.consentRevoked, at: 10))
            try expect(outcome == .unknownPerson)
            let completing = try await store.refusal(completing: sample)
            try expect(completing == .consentRevoked)
        },
        Check(name: "a deleted Apple Account takes the account along and revokes nothing") {
            store in
            let (_, web, account) = try await signedInTwice(store)
            let outcome = try await store.apply(event(.accountDeleted, at: 10))
            try expect(outcome == .applied(account.id))
            let found = try await store.session(tokenHash: web.token.hash, now: start)
            try expect(found == nil)
            let renamed = try await store.rename(account.id, to: "Maya")
            try expect(renamed == nil)
            let queued = try await store.claimEntries(claim(by: "worker"))
            try expect(queued.isEmpty)
        },
        Check(name: "an event counts once, by its notification's name and by its own") { store in
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
        Check(name: "a notification is remembered until its time is over") { store in
            try await store.signIn(SampleSignIn())
            _ = try await store.apply(event(.consentRevoked, at: 10))
            let remembered = event(.consentRevoked, at: 10, now: 86_399)
            let before = try await store.apply(remembered)
            try expect(before == .repeated)
            let forgotten = event(.consentRevoked, at: 10, now: 86_400)
            let after = try await store.apply(forgotten)
            try expect(after != .repeated)
        },
        Check(name: "nobody here is meant by a stranger's event, nor by another issuer's") {
            store in
            let sample = SampleSignIn()
            let account = try await store.signIn(sample).signedIn.account
            let stranger = try await store.apply(event(.accountDeleted, at: 10, user: "000009.eve"))
            try expect(stranger == .unknownPerson)
            let issuer = try await store.apply(
                event(.accountDeleted, at: 10, issuer: "https://account.apple.com")
            )
            try expect(issuer == .unknownPerson)
            let found = try await store.session(tokenHash: sample.token.hash, now: start)
            try expect(found?.account == account)
        },
    ]

    /// Signs Maya in from an app and from the web, each with a refresh token.
    private static func signedInTwice(
        _ store: any AccountStore
    ) async throws -> (native: SampleSignIn, web: SampleSignIn, account: Account) {
        var native = SampleSignIn()
        native.name = "Maya"
        native.refreshToken = "native token"
        var web = SampleSignIn()
        web.clientID = "com.example.juice.web"
        web.refreshToken = "web token"
        try await store.signIn(native)
        return (native, web, try await store.signIn(web).signedIn.account)
    }

    static func later(_ seconds: TimeInterval, issuedAt: TimeInterval? = nil) -> SampleSignIn {
        var sample = SampleSignIn()
        sample.now = start.addingTimeInterval(seconds)
        sample.issuedAt = issuedAt.map { start.addingTimeInterval($0) }
        return sample
    }

    /// An event so many seconds after the first sign-in.
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
