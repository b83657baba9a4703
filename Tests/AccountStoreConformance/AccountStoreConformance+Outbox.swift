import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let outboxChecks: [Check] = [
        Check("an outbox entry belongs to one worker until the claim expires") { store in
            try await queueRevocations(1, in: store)
            let first = try await store.claimEntries(claim(by: "first"))
            try expect(first.count == 1)
            let second = try await store.claimEntries(claim(by: "second"))
            try expect(second.isEmpty)
            let later = claim(by: "second", at: start.addingTimeInterval(120))
            let taken = try await store.claimEntries(later)
            try expect(taken.map(\.id) == first.map(\.id))
            // The first worker's claim has expired: its result is ignored.
            try await store.finishEntry(taken[0].id, worker: "first", result: .done)
            try expect(try await store.outboxBacklog().waitingCount == 1)
        },
        Check("workers at the same time never share an outbox entry") { store in
            try await queueRevocations(20, in: store)
            let claimed = try await withThrowingTaskGroup { group in
                for worker in 0..<10 {
                    group.addTask {
                        try await store.claimEntries(claim(by: "\(worker)", maximumCount: 3))
                    }
                }
                var claimed: [OutboxID] = []
                for try await batch in group { claimed += batch.map(\.id) }
                return claimed
            }
            try expect(claimed.count == 20)
            try expect(Set(claimed).count == 20)
        },
        Check("a claim takes only outbox entries of its kind") { store in
            try await queueRevocations(1, in: store)
            let maya = SamplePassword(email: own("maya@example.com", isVerified: true))
            _ = try await store.createAccount(maya.creation)
            let request = resetRequest(address: "maya@example.com", link: "reset")
            _ = try await store.requestPasswordReset(request)
            let mail = try await store.claimEntries(claim(.mail, by: "worker"))
            try expect(mail.map(\.task.kind) == [.mail])
            let revocations = try await store.claimEntries(claim(by: "worker"))
            try expect(revocations.map(\.task.kind) == [.revocation])
            try await store.finishEntry(mail[0].id, worker: "worker", result: .expired)
            try expect(try await store.outboxBacklog().waitingCount == 1)
        },
        Check("a completed outbox entry is deleted") { store in
            try await queueRevocations(1, in: store)
            let entry = try require(try await store.claimEntries(claim(by: "worker")).first)
            try await store.finishEntry(entry.id, worker: "worker", result: .done)
            let backlog = try await store.outboxBacklog()
            try expect(backlog == OutboxBacklog(counts: [:], errorCounts: [:]))
            try expect(backlog.waitingCount == 0 && backlog.oldestCreatedAt == nil)
        },
        Check("a failed attempt is counted and delays the next one") { store in
            try await queueRevocations(1, in: store)
            let entry = try require(try await store.claimEntries(claim(by: "worker")).first)
            let next = start.addingTimeInterval(8)
            try await store.finishEntry(
                entry.id,
                worker: "worker",
                result: .failed(code: "apple_unavailable", nextAttemptAt: next)
            )
            let early = claim(by: "worker", at: start.addingTimeInterval(7))
            try expect(try await store.claimEntries(early).isEmpty)
            let due = try await store.claimEntries(claim(by: "worker", at: next))
            try expect(due.map(\.attemptCount) == [1])
        },
        Check("only failed, unclaimed outbox entries are made due") { store in
            try await queueRevocations(3, in: store)
            let entries = try await store.claimEntries(claim(by: "worker"))
            try expect(entries.count == 3)
            let next = start.addingTimeInterval(300)
            try await store.finishEntry(
                entries[0].id,
                worker: "worker",
                result: .failed(code: "apple_unavailable", nextAttemptAt: next)
            )
            try await store.finishEntry(
                entries[1].id,
                worker: "worker",
                result: .refused(code: "apple_refused_client")
            )
            try expect(try await store.makeFailedEntriesDue(.revocation, now: start) == 1)
            let due = try await store.claimEntries(claim(by: "worker"))
            try expect(due.map(\.id) == [entries[0].id])
        },
        Check("a refused outbox entry is kept and counted until it is queued again") { store in
            try await queueRevocations(1, in: store)
            let entry = try require(try await store.claimEntries(claim(by: "worker")).first)
            try await store.finishEntry(
                entry.id,
                worker: "worker",
                result: .refused(code: "apple_refused_client")
            )
            let much = claim(by: "worker", at: start.addingTimeInterval(1_000_000))
            try expect(try await store.claimEntries(much).isEmpty)
            let backlog = try await store.outboxBacklog()
            let count = OutboxBacklog.Count(
                waitingCount: 0,
                refusedCount: 1,
                oldestCreatedAt: start
            )
            try expect(
                backlog
                    == OutboxBacklog(
                        counts: [OutboxTask.Kind.revocation.rawValue: count],
                        errorCounts: ["apple_refused_client": 1]
                    )
            )
            try expect(try await store.requeueRefusedEntries(.mail, now: start) == 0)
            try expect(try await store.requeueRefusedEntries(.revocation, now: start) == 1)
            let again = try await store.claimEntries(claim(by: "worker"))
            try expect(again.map(\.id) == [entry.id])
        },
    ]

    /// Queues revocations by deleting accounts.
    private static func queueRevocations(_ count: Int, in store: AccountStore) async throws {
        for number in 0..<count {
            let sample = SampleSignIn(user: UserID("\(number)"), refreshToken: "token \(number)")
            let account = try await store.signIn(sample).signedIn.account
            let outcome = try await store.deleteAccount(deletion(of: account.id, by: sample))
            try expect(outcome == .success(1))
        }
    }
}
