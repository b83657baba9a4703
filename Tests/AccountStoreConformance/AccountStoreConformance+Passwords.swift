import Foundation

@testable import Accounts

/// A sample account with a password, as the service passes it to a store; tests change one value.
package struct SamplePassword: Sendable {
    package var username: String
    package var email: EmailAddress?
    package var hash = "a hash"
    package var throttles: [ThrottleUse] = []
    /// Those of the mail to a new account.
    package var mailThrottles: [ThrottleUse] = []
    package var now = SampleSignIn.start
    package let account = AccountID.make(at: SampleSignIn.start)
    /// The session that is created.
    package var session = SampleSignIn()

    package init(username: String = "maya", email: EmailAddress? = nil) {
        (self.username, self.email) = (username, email)
    }

    package var stored: StoredPassword {
        StoredPassword(account: account, hash: hash, changedAt: now)
    }

    package var creation: AccountCreation {
        AccountCreation(
            account: Account(id: account, email: email, username: username, createdAt: now),
            password: stored,
            opening: session.opening,
            throttles: mailThrottles
        )
    }

    package var attempt: PasswordAttempt {
        PasswordAttempt(usernames: [Username(stored: username)], throttles: throttles, now: now)
    }

    /// A sign-in with another session, after the password was found right.
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
    /// The answer for one username that no account has.
    private static let unknown: [StoredPassword?] = [nil]

    private static let policy = ThrottlePolicy(
        freeCount: 2,
        firstWait: 10,
        maximumWait: 60,
        memory: 3600
    )

    static let passwordChecks: [Check] = [
        Check("an account is found by username and signs in with its password") { store in
            let maya = SamplePassword()
            let signedIn = try await store.createAccount(maya.creation).get()
            try expect(signedIn.account == maya.creation.account)
            try expect(try await store.beginPasswordCheck(maya.attempt) == .success([maya.stored]))
            let again = SampleSignIn()
            _ = try await store.completePasswordSignIn(maya.signIn(again)).get()
            try expect(try await store.session(of: again)?.account.username == "maya")
        },
        Check("an unknown username has no password to check against") { store in
            try expect(
                try await store.beginPasswordCheck(SamplePassword().attempt) == .success(unknown)
            )
        },
        Check("a username requested twenty times at once belongs to one account") { store in
            let outcomes = try await atOnce(20) { _ in
                try await store.createAccount(SamplePassword().creation)
            }
            try expect(outcomes.count { $0.isSignedIn } == 1)
            try expect(outcomes.count { $0 == .failure(.usernameTaken) } == 19)
        },
        Check("a repeated creation creates one account and returns it each time") { store in
            let creation = SamplePassword().creation
            let outcomes = try await atOnce(5) { _ in try await store.createAccount(creation) }
            try expect(Set(outcomes).count == 1)
            try expect(outcomes.allSatisfy(\.isSignedIn))
        },
        Check("a creation counts its mail once, and a refused creation counts none") { store in
            func sample(_ username: String) -> SamplePassword {
                var sample = SamplePassword(username: username)
                let key = SecretHash(of: "maya@example.com")
                sample.mailThrottles = [ThrottleUse(key: key, policy: policy)]
                return sample
            }
            let maya = sample("maya").creation
            for _ in 0..<3 { try expect(try await store.createAccount(maya).isSignedIn) }
            for _ in 0..<3 {
                let taken = try await store.createAccount(sample("maya").creation)
                try expect(taken == .failure(.usernameTaken))
            }
            try expect(try await store.createAccount(sample("noah").creation).isSignedIn)
            let third = sample("olga")
            try expect(try await store.createAccount(third.creation).isSignedIn)
            try expect(
                try await store.beginPasswordCheck(third.attempt) == .success([third.stored])
            )
        },
        Check("a password that was changed in the meantime is refused") { store in
            var maya = SamplePassword()
            _ = try await store.createAccount(maya.creation)
            maya.hash = "another hash"
            let session = SampleSignIn()
            let outcome = try await store.completePasswordSignIn(maya.signIn(session))
            try expect(outcome == .failure(.credentialsInvalid))
            try expect(try await store.session(of: session) == nil)
        },
        Check("a new hash of the password replaces the former one") { store in
            let maya = try await store.create()
            _ = try await store.completePasswordSignIn(
                maya.signIn(SampleSignIn(), rehashed: "dearer hash")
            )
            let challenge = try await store.beginPasswordCheck(maya.attempt)
            try expect(
                challenge
                    == .success(
                        [
                            StoredPassword(
                                account: maya.account,
                                hash: "dearer hash",
                                changedAt: start
                            )
                        ]
                    )
            )
        },
        Check("attempts are counted before the check and wait longer each time") { store in
            var maya = SamplePassword()
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy)]
            var outcomes: [PasswordChallenge] = []
            for _ in 0..<3 { outcomes.append(try await store.beginPasswordCheck(maya.attempt)) }
            let wait = PasswordChallenge.failure(.tooManyAttempts(seconds: 10))
            try expect(outcomes == [.success(unknown), .success(unknown), wait])
            maya.now = start.addingTimeInterval(10)
            let third = try await store.beginPasswordCheck(maya.attempt)
            let fourth = try await store.beginPasswordCheck(maya.attempt)
            try expect(third == .success(unknown))
            try expect(fourth == .failure(.tooManyAttempts(seconds: 20)))
        },
        Check("a hundred attempts at once are throttled like consecutive ones") { store in
            var maya = SamplePassword()
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy)]
            let outcomes = try await atOnce(100) { [maya] _ in
                try await store.beginPasswordCheck(maya.attempt)
            }
            try expect(outcomes.count { $0 == .success(unknown) } == 2)
        },
        Check("a right password resets the account's count and is not counted") { store in
            var maya = SamplePassword()
            let address = ThrottleUse(key: SecretHash(of: "192.0.2.1"), policy: policy)
            _ = try await store.createAccount(maya.creation)
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy), address]
            for _ in 0..<2 { _ = try await store.beginPasswordCheck(maya.attempt) }
            _ = try await store.completePasswordSignIn(maya.signIn(SampleSignIn()))
            let third = try await store.beginPasswordCheck(maya.attempt)
            let fourth = try await store.beginPasswordCheck(maya.attempt)
            try expect(third == .success([maya.stored]))
            try expect(fourth == .failure(.tooManyAttempts(seconds: 10)))
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy)]
            try expect(try await store.beginPasswordCheck(maya.attempt) == .success([maya.stored]))
        },
        Check("counts of attempts expire and are deleted") { store in
            var maya = SamplePassword()
            maya.throttles = [ThrottleUse(key: SecretHash(of: "maya"), policy: policy)]
            for _ in 0..<2 { _ = try await store.beginPasswordCheck(maya.attempt) }
            let late = start.addingTimeInterval(7200)
            // The count and the marks of both attempts.
            try expect(try await store.forgetExpired(now: late, maximumCount: 10) == 3)
            maya.now = start.addingTimeInterval(1)
            try expect(try await store.beginPasswordCheck(maya.attempt) == .success(unknown))
        },
    ]
}
