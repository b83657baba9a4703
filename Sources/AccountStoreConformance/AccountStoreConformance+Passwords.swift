import Accounts
import AppleIdentity
import Foundation

/// An account with a password as the service would hand it to a store; tests change one thing of it.
package struct SamplePassword: Sendable {
    package var username = "maya"
    package var email: EmailAddress?
    package var hash = "a hash"
    package var throttles: [ThrottleUse] = []
    package var now = SampleSignIn.start
    package let account = AccountID.make(at: SampleSignIn.start)
    /// The session that is opened.
    package var session = SampleSignIn()

    /// Makes Maya's.
    package init() {}

    package var stored: StoredPassword {
        StoredPassword(account: account, hash: hash, changedAt: now)
    }

    package var creation: AccountCreation {
        AccountCreation(
            account: Account(id: account, email: email, username: username, createdAt: now),
            password: stored,
            opening: session.opening
        )
    }

    package var attempt: PasswordAttempt {
        PasswordAttempt(username: try? Username(username), throttles: throttles, now: now)
    }

    /// A sign-in into a session of its own, after the password was found right.
    package func signIn(_ session: SampleSignIn, rehashed: String? = nil) -> PasswordSignIn {
        PasswordSignIn(
            checked: stored,
            rehashed: rehashed,
            opening: session.opening,
            forgottenThrottles: throttles.prefix(1).map(\.key),
            returnedThrottles: Array(throttles.dropFirst())
        )
    }

    package func caller(since: Date? = nil) -> AccountChange.Caller {
        AccountChange.Caller(account: account, session: session.session, signedInSince: since)
    }
}

extension AccountStoreConformance {
    private static let start = SampleSignIn.start
    private static let policy = ThrottlePolicy(
        freeCount: 2,
        firstWait: 10,
        maximumWait: 60,
        memory: 3600
    )

    static let passwordChecks: [Check] = [
        Check(name: "an account with a password is found by its name, and opens by the right hash")
        {
            store in
            let maya = SamplePassword()
            let made = try await store.createAccount(maya.creation)
            guard case .signedIn(let signedIn) = made else {
                throw Failure(description: "no account was made: \(made)")
            }
            try expect(signedIn.account == maya.creation.account)
            let challenge = try await store.beginPasswordCheck(maya.attempt)
            try expect(challenge == .check(maya.stored))
            let again = SampleSignIn()
            let opened = try await store.completePasswordSignIn(maya.signIn(again))
            guard case .signedIn = opened else {
                throw Failure(description: "the sign-in was refused: \(opened)")
            }
            let found = try await store.session(tokenHash: again.token.hash, now: start)
            try expect(found?.account.username == "maya")
        },
        Check(name: "a name that nobody has is nothing to check against") { store in
            let challenge = try await store.beginPasswordCheck(SamplePassword().attempt)
            try expect(challenge == .check(nil))
        },
        Check(name: "a name belongs to one account, also when twenty want it at once") { store in
            let outcomes = try await atOnce(20) { _ in
                try await store.createAccount(SamplePassword().creation)
            }
            try expect(outcomes.count { $0.isSignedIn } == 1)
            try expect(outcomes.count { $0 == .usernameTaken } == 19)
        },
        Check(name: "the same creation twice makes one account, and says so both times") { store in
            let creation = SamplePassword().creation
            let outcomes = try await atOnce(5) { _ in try await store.createAccount(creation) }
            try expect(Set(outcomes).count == 1)
            try expect(outcomes.allSatisfy(\.isSignedIn))
        },
        Check(name: "a password that was changed meanwhile opens nothing") { store in
            var maya = SamplePassword()
            _ = try await store.createAccount(maya.creation)
            maya.hash = "another hash"
            let session = SampleSignIn()
            let outcome = try await store.completePasswordSignIn(maya.signIn(session))
            try expect(outcome == .credentialsInvalid)
            let found = try await store.session(tokenHash: session.token.hash, now: start)
            try expect(found == nil)
        },
        Check(name: "a password hashed anew is what is checked from then on") { store in
            let maya = SamplePassword()
            _ = try await store.createAccount(maya.creation)
            _ = try await store.completePasswordSignIn(
                maya.signIn(SampleSignIn(), rehashed: "dearer hash")
            )
            let challenge = try await store.beginPasswordCheck(maya.attempt)
            try expect(
                challenge
                    == .check(
                        StoredPassword(account: maya.account, hash: "dearer hash", changedAt: start)
                    )
            )
        },
        Check(name: "attempts are counted before they are made, and wait longer and longer") {
            store in
            var maya = SamplePassword()
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy)]
            var outcomes: [PasswordChallenge] = []
            for _ in 0..<3 { outcomes.append(try await store.beginPasswordCheck(maya.attempt)) }
            try expect(outcomes == [.check(nil), .check(nil), .wait(seconds: 10)])
            maya.now = start.addingTimeInterval(10)
            let third = try await store.beginPasswordCheck(maya.attempt)
            let fourth = try await store.beginPasswordCheck(maya.attempt)
            try expect(third == .check(nil) && fourth == .wait(seconds: 20))
        },
        Check(name: "of a hundred attempts at once only the free ones are made") { store in
            var maya = SamplePassword()
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy)]
            let outcomes = try await atOnce(100) { [maya] _ in
                try await store.beginPasswordCheck(maya.attempt)
            }
            try expect(outcomes.count { $0 == .check(nil) } == 2)
        },
        Check(
            name: "the right password ends the account's count, and is not counted for the address"
        ) {
            store in
            var maya = SamplePassword()
            let address = ThrottleUse(key: SecretHash(of: "192.0.2.1"), policy: policy)
            _ = try await store.createAccount(maya.creation)
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy), address]
            for _ in 0..<2 { _ = try await store.beginPasswordCheck(maya.attempt) }
            _ = try await store.completePasswordSignIn(maya.signIn(SampleSignIn()))
            let third = try await store.beginPasswordCheck(maya.attempt)
            let fourth = try await store.beginPasswordCheck(maya.attempt)
            try expect(third == .check(maya.stored) && fourth == .wait(seconds: 10))
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy)]
            let byAccount = try await store.beginPasswordCheck(maya.attempt)
            try expect(byAccount == .check(maya.stored))
        },
        Check(name: "what has been counted is forgotten in time") { store in
            var maya = SamplePassword()
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy)]
            for _ in 0..<2 { _ = try await store.beginPasswordCheck(maya.attempt) }
            let late = start.addingTimeInterval(7200)
            // The count, and the marks of both attempts.
            let count = try await store.forgetExpired(now: late, maximumCount: 10)
            try expect(count == 3)
            maya.now = start.addingTimeInterval(1)
            let challenge = try await store.beginPasswordCheck(maya.attempt)
            try expect(challenge == .check(nil))
        },
    ]
}

extension PasswordOutcome {
    var isSignedIn: Bool {
        if case .signedIn = self { true } else { false }
    }
}
