import Accounts
import AppleIdentity
import Foundation

extension AccountStoreConformance {
    static let concurrencyChecks: [Check] = [
        Check("one identity token completed by twenty at once signs in one") { store in
            let outcomes = try await atOnce(20) { _ in
                try await store.completeSignIn(SampleSignIn(identityToken: "one").completion)
            }
            try expect(outcomes.count { $0.isSignedIn } == 1)
            try expect(outcomes.count { $0 == .refused(.tokenReplayed) } == 19)
        },
        Check("one nonce completed by twenty at once signs in one") { store in
            let outcomes = try await atOnce(20) { _ in
                try await store.completeSignIn(sample(nonce: "n").completion)
            }
            try expect(outcomes.count { $0.isSignedIn } == 1)
            try expect(outcomes.count { $0 == .refused(.nonceUsed) } == 19)
        },
        Check("one new person who comes ten times at once has one account") { store in
            let outcomes = try await atOnce(10) { _ in
                try await store.completeSignIn(SampleSignIn().completion)
            }
            try expect(outcomes.allSatisfy(\.isSignedIn))
            try expect(Set(outcomes.compactMap(\.account?.id)).count == 1)
        },
        Check("one completion carried out by ten at once makes one session, and says so to all") {
            store in
            let sample = SampleSignIn(name: "Maya")
            let completion = sample.completion
            let outcomes = try await atOnce(10) { _ in try await store.completeSignIn(completion) }
            try expect(Set(outcomes).count == 1)
            let account = try require(outcomes.first?.account)
            let sessions = try await store.sessions(of: account.id, now: start)
            try expect(sessions.map(\.id) == [sample.session])
        },
        Check(
            "a deletion at the same time as sign-ins leaves one account or none, never half a one"
        ) {
            store in
            for round in 0..<10 {
                let first = SampleSignIn(user: UserID("\(round)"), refreshToken: "token \(round)")
                let account = try await store.signIn(first).signedIn.account
                let deleting = first
                let outcomes = try await atOnce(4) { number -> SignInOutcome? in
                    if number == 0 {
                        _ = try await store.deleteAccount(deletion(of: account.id, by: deleting))
                        return nil
                    }
                    let again = SampleSignIn(user: deleting.user)
                    return try await store.completeSignIn(again.completion)
                }
                try await expectWhole(outcomes.compactMap(\.self), old: account.id, in: store)
            }
        },
        Check("a use and an end of a session at once leave it ended") { store in
            for _ in 0..<10 {
                let sample = SampleSignIn()
                let account = try await store.signIn(sample).signedIn.account
                _ = try await atOnce(2) { number in
                    if number == 0 {
                        _ = try await store.endSession(sample.session, of: account.id, now: start)
                    } else {
                        try await store.recordUses([use(of: sample, after: 60)])
                    }
                }
                try expect(try await store.session(of: sample) == nil)
            }
        },
        Check("a session that was ended is never found again, however often it is looked up") {
            store in
            for _ in 0..<20 {
                let sample = SampleSignIn()
                let account = try await store.signIn(sample).signedIn.account
                _ = try await atOnce(8) { number in
                    if number == 4 {
                        _ = try await store.endSession(sample.session, of: account.id, now: start)
                    } else {
                        _ = try await store.session(of: sample)
                    }
                }
                try expect(try await store.session(of: sample) == nil)
            }
        },
    ]

    static func use(of sample: SampleSignIn, after seconds: TimeInterval) -> SessionUse {
        SessionUse(
            session: sample.session,
            lastUsedAt: start.addingTimeInterval(seconds),
            expiresAt: start.addingTimeInterval(3600 + seconds)
        )
    }

    /// Runs a step so many times at once; the answers come in no order.
    package static func atOnce<Answer: Sendable>(
        _ count: Int,
        _ step: @escaping @Sendable (Int) async throws -> Answer
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup { group in
            for number in 0..<count { group.addTask { try await step(number) } }
            var answers: [Answer] = []
            for try await answer in group { answers.append(answer) }
            return answers
        }
    }

    /// Whoever signed in after the deletion shares one new account, whose sessions are all there.
    private static func expectWhole(
        _ outcomes: [SignInOutcome],
        old: AccountID,
        in store: any AccountStore
    ) async throws {
        try expect(try await store.account(old) == nil)
        let new = Set(outcomes.compactMap(\.account?.id)).subtracting([old])
        try expect(new.count <= 1)
        for case .signedIn(let signedIn, _) in outcomes where signedIn.account.id != old {
            let listed = try await store.sessions(of: signedIn.account.id, now: start)
            try expect(listed.contains(signedIn.session))
        }
    }
}

extension SignInOutcome {
    fileprivate var isSignedIn: Bool { account != nil }

    fileprivate var account: Account? {
        guard case .signedIn(let signedIn, _) = self else { return nil }
        return signedIn.account
    }
}
