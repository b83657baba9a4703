import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let concurrencyChecks: [Check] = [
        Check("twenty sign-ins with one identity token at once create one session") { store in
            let outcomes = try await atOnce(20) { _ in
                try await store.completeSignIn(SampleSignIn(identityToken: "one").commit)
            }
            try expect(outcomes.count { $0.isSignedIn } == 1)
            try expect(outcomes.count { $0 == .failure(.tokenReplayed) } == 19)
        },
        Check("twenty sign-ins with one nonce at once create one session") { store in
            let outcomes = try await atOnce(20) { _ in
                try await store.completeSignIn(sample(nonce: "n").commit)
            }
            try expect(outcomes.count { $0.isSignedIn } == 1)
            try expect(outcomes.count { $0 == .failure(.nonceUsed) } == 19)
        },
        Check("ten first sign-ins of a user at once create one account") { store in
            let outcomes = try await atOnce(10) { _ in
                try await store.completeSignIn(SampleSignIn().commit)
            }
            try expect(outcomes.allSatisfy(\.isSignedIn))
            try expect(Set(outcomes.compactMap(\.account?.id)).count == 1)
        },
        Check("a completion repeated ten times at once creates one session") { store in
            let sample = SampleSignIn(name: "Maya")
            let commit = sample.commit
            let outcomes = try await atOnce(10) { _ in try await store.completeSignIn(commit) }
            try expect(Set(outcomes).count == 1)
            let account = try require(outcomes.first?.account)
            let sessions = try await store.sessions(of: account.id, now: start)
            try expect(sessions.map(\.id) == [sample.session])
        },
        Check("a deletion during sign-ins leaves one complete account or none") { store in
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
                    return try await store.completeSignIn(again.commit)
                }
                try await expectWhole(outcomes.compactMap(\.self), old: account.id, in: store)
            }
        },
        Check("a session that is used and ended at once stays ended") { store in
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
        Check("an ended session is never found again, even by parallel lookups") { store in
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

    /// Runs a step a number of times at once and returns the answers in any order.
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

    /// Checks that sign-ins after the deletion share one new account, which has all their sessions.
    private static func expectWhole(
        _ outcomes: [SignInOutcome],
        old: AccountID,
        in store: AccountStore
    ) async throws {
        try expect(try await store.account(old) == nil)
        let new = Set(outcomes.compactMap(\.account?.id)).subtracting([old])
        try expect(new.count <= 1)
        for case .success(let signedIn) in outcomes where signedIn.account.id != old {
            let listed = try await store.sessions(of: signedIn.account.id, now: start)
            try expect(listed.contains(signedIn.session))
        }
    }
}
