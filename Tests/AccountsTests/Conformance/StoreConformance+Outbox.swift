import Accounts
import AppleIdentity
import Foundation
import Testing

extension StoreConformance {
    private static let start = SampleSignIn.start

    static let outboxChecks: [Check] = [
        Check(name: "an entry belongs to one worker until the claim runs out") { store in
            try await queueRevocations(1, in: store)
            let first = try await store.claimRevocations(claim(by: "first"))
            #expect(first.count == 1)
            let second = try await store.claimRevocations(claim(by: "second"))
            #expect(second.isEmpty)
            let later = claim(by: "second", at: start.addingTimeInterval(120))
            let taken = try await store.claimRevocations(later)
            #expect(taken.map(\.id) == first.map(\.id))
            // The first worker comes back from the dead: the entry is no longer its to finish.
            try await store.finishRevocation(taken[0].id, worker: "first", result: .revoked)
            let left = try await store.revocationBacklog()
            #expect(left.waitingCount == 1)
        },
        Check(name: "workers at once never share an entry") { store in
            try await queueRevocations(20, in: store)
            let claimed = try await withThrowingTaskGroup { group in
                for worker in 0..<10 {
                    group.addTask {
                        try await store.claimRevocations(claim(by: "\(worker)", maximumCount: 3))
                    }
                }
                var claimed: [RevocationID] = []
                for try await batch in group { claimed += batch.map(\.id) }
                return claimed
            }
            #expect(claimed.count == 20)
            #expect(Set(claimed).count == 20)
        },
        Check(name: "an entry that was revoked is gone") { store in
            try await queueRevocations(1, in: store)
            let entry = try #require(try await store.claimRevocations(claim(by: "worker")).first)
            try await store.finishRevocation(entry.id, worker: "worker", result: .revoked)
            let backlog = try await store.revocationBacklog()
            #expect(
                backlog
                    == RevocationBacklog(
                        waitingCount: 0,
                        refusedCount: 0,
                        oldestCreatedAt: nil,
                        errorCounts: [:]
                    )
            )
        },
        Check(name: "a failed attempt is counted and waits for its time") { store in
            try await queueRevocations(1, in: store)
            let entry = try #require(try await store.claimRevocations(claim(by: "worker")).first)
            let next = start.addingTimeInterval(8)
            try await store.finishRevocation(
                entry.id,
                worker: "worker",
                result: .failed(code: "apple_unavailable", nextAttemptAt: next)
            )
            let early = claim(by: "worker", at: start.addingTimeInterval(7))
            let none = try await store.claimRevocations(early)
            #expect(none.isEmpty)
            let due = try await store.claimRevocations(claim(by: "worker", at: next))
            #expect(due.map(\.attemptCount) == [1])
        },
        Check(name: "only entries that failed and belong to nobody are pulled forward") { store in
            try await queueRevocations(3, in: store)
            let entries = try await store.claimRevocations(claim(by: "worker"))
            try #require(entries.count == 3)
            let next = start.addingTimeInterval(300)
            try await store.finishRevocation(
                entries[0].id,
                worker: "worker",
                result: .failed(code: "apple_unavailable", nextAttemptAt: next)
            )
            try await store.finishRevocation(
                entries[1].id,
                worker: "worker",
                result: .refused(code: "apple_refused_client")
            )
            let count = try await store.makeFailedRevocationsDue(now: start)
            #expect(count == 1)
            let due = try await store.claimRevocations(claim(by: "worker"))
            #expect(due.map(\.id) == [entries[0].id])
        },
        Check(name: "an entry that was refused stays, visible, until it is queued again") { store in
            try await queueRevocations(1, in: store)
            let entry = try #require(try await store.claimRevocations(claim(by: "worker")).first)
            try await store.finishRevocation(
                entry.id,
                worker: "worker",
                result: .refused(code: "apple_refused_client")
            )
            let much = claim(by: "worker", at: start.addingTimeInterval(1_000_000))
            let none = try await store.claimRevocations(much)
            #expect(none.isEmpty)
            let backlog = try await store.revocationBacklog()
            #expect(
                backlog
                    == RevocationBacklog(
                        waitingCount: 0,
                        refusedCount: 1,
                        oldestCreatedAt: start,
                        errorCounts: ["apple_refused_client": 1]
                    )
            )
            let count = try await store.requeueRefusedRevocations(now: start)
            #expect(count == 1)
            let again = try await store.claimRevocations(claim(by: "worker"))
            #expect(again.map(\.id) == [entry.id])
        },
    ]

    /// Leaves entries in the outbox the only way there is: by deleting accounts.
    private static func queueRevocations(_ count: Int, in store: any AccountStore) async throws {
        for number in 0..<count {
            var sample = SampleSignIn()
            sample.user = UserID("\(number)")
            sample.refreshToken = "token \(number)"
            let account = try await store.signIn(sample).signedIn.account
            let outcome = try await store.deleteAccount(deletion(of: account.id, by: sample))
            #expect(outcome == .deleted(revocationCount: 1))
        }
    }
}
