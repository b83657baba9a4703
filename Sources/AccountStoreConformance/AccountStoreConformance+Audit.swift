import Accounts
import AppleIdentity
import Foundation
import SignInWithApple

extension AccountStoreConformance {
    private static let start = SampleSignIn.start

    static let auditChecks: [Check] = [
        Check(name: "the audit log's entry and what it tells of are one transaction") { store in
            let keys = try auditKeys()
            var sample = SampleSignIn()
            sample.audit = context(keys, "native")
            let account = try await store.signIn(sample).signedIn.account
            // The same sign-in, whose answer was lost, and one that is refused, leave no other entry.
            _ = try await store.completeSignIn(sample.completion)
            var replay = SampleSignIn(identityToken: sample.identityToken)
            replay.audit = context(keys, "native")
            try expect(try await store.refusal(completing: replay) == .tokenReplayed)
            let found = try await store.auditEntries(AuditQuery())
            try expect(found.map(\.entry.id) == [sample.audit?.id])
            let entry = try require(found.first?.entry)
            try expect(entry.action == "account_created" && entry.detail == "native")
            try expect(entry.account == account.id && entry.session == sample.session)
            try expect(found.first?.number == nil && found.first?.proof == nil)
        },
        Check(name: "entries become a chain that can be checked, and stay as they were") { store in
            let keys = try auditKeys()
            let entries = try await store.recordEntries(5, keys)
            try await store.sealAll(keys, maximumCount: 2)
            let found = try await store.auditEntries(AuditQuery())
            try expect(found.map(\.entry) == entries)
            try expect(found.map(\.number) == [1, 2, 3, 4, 5])
            try expect(found.allSatisfy { $0.proof == "signed" })
            let steps = try await store.checkAll(keys, maximumCount: 2)
            try expect(steps.flatMap(\.findings).isEmpty)
            try expect(steps.reduce(0) { $0 + $1.checkedCount } == 5)
            try expect(steps.last?.seal?.head.number == 5 && steps.last?.waitingCount == 0)
        },
        Check(name: "an entry is written once, and sealed once by many at a time") { store in
            let keys = try auditKeys()
            let entries = try await store.recordEntries(20, keys)
            try await store.record(entries)
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await store.sealAll(keys, maximumCount: 3) } }
                try await group.waitForAll()
            }
            let found = try await store.auditEntries(AuditQuery())
            try expect(Set(found.map(\.entry)) == Set(entries) && found.count == 20)
            let steps = try await store.checkAll(keys, maximumCount: 100)
            try expect(steps.flatMap(\.findings).isEmpty)
            try expect(steps.last?.seal?.head.number == 20)
        },
        Check(name: "an entry whose writer did not get the answer and asks again is sealed once") {
            store in
            let keys = try auditKeys()
            let entries = try await store.recordEntries(3, keys)
            try await store.sealAll(keys, maximumCount: 100)
            try await store.record(Array(entries.dropFirst()))
            let found = try await store.auditEntries(AuditQuery())
            try expect(found.map(\.entry) == entries && found.map(\.number) == [1, 2, 3])
            let account = AuditQuery(account: entries[1].account)
            try expect(try await store.auditEntries(account).count == 1)
            let latest = try await store.recordEntries(1, keys)
            try await store.sealAll(keys, maximumCount: 100)
            let all = try await store.auditEntries(AuditQuery())
            try expect(all.map(\.entry) == entries + latest)
            let steps = try await store.checkAll(keys, maximumCount: 100)
            try expect(steps.flatMap(\.findings).isEmpty)
            try expect(steps.last?.seal?.head.number == 4 && steps.last?.waitingCount == 0)
        },
        Check(name: "changes and the sealing of their entries are not in each other's way") {
            store in
            let keys = try auditKeys()
            try await withThrowingTaskGroup { group in
                for number in 0..<12 {
                    group.addTask {
                        var sample = SampleSignIn()
                        sample.user = UserID("\(number)")
                        sample.audit = context(keys, "native")
                        try await store.signIn(sample)
                    }
                    group.addTask { try await store.sealAll(keys, maximumCount: 3) }
                }
                try await group.waitForAll()
            }
            try await store.sealAll(keys, maximumCount: 100)
            let steps = try await store.checkAll(keys, maximumCount: 100)
            try expect(steps.flatMap(\.findings).isEmpty)
            try expect(steps.last?.seal?.head.number == 12)
        },
        Check(name: "entries of one account are found, in their order and the latest first") {
            store in
            let keys = try auditKeys()
            let entries = try await store.recordEntries(6, keys)
            try await store.sealAll(keys, maximumCount: 4, roundCount: 1)
            let own = entries.filter { $0.account == "account 0" }
            let account = AccountID("account 0")
            let found = try await store.auditEntries(AuditQuery(account: account))
            try expect(found.map(\.entry) == own && own.count == 3)
            let latest = try await store.auditEntries(
                AuditQuery(account: account, count: 2, isLatestFirst: true)
            )
            try expect(latest.map(\.entry) == Array(own.reversed().prefix(2)))
            let rest = try await store.auditEntries(AuditQuery(after: entries[1].id, count: 3))
            try expect(rest.map(\.entry) == Array(entries[2..<5]))
            let since = AuditID.beginning(at: entries[3].occurredAt)
            let later = try await store.auditEntries(AuditQuery(after: since))
            try expect(later.map(\.entry) == Array(entries[3...]))
        },
        Check(name: "entries outlive the account, by its id alone, and are in no export of another")
        {
            store in
            let keys = try auditKeys()
            var sample = SampleSignIn()
            sample.audit = context(keys, "native")
            let account = try await store.signIn(sample).signedIn.account
            let export = try require(try await store.export(account.id, now: start))
            try expect(export.auditEntries.map(\.entry.action) == ["account_created"])
            var gone = AccountStoreConformance.deletion(of: account.id, by: sample)
            gone.audit = context(keys, nil, after: 1)
            _ = try await store.deleteAccount(gone)
            let found = try await store.auditEntries(AuditQuery(account: account.id))
            try expect(found.map(\.entry.action) == ["account_created", "account_deleted"])
            var other = SampleSignIn()
            other.user = "000002.noah"
            let noah = try await store.signIn(other).signedIn.account
            let otherExport = try require(try await store.export(noah.id, now: start))
            try expect(otherExport.auditEntries.isEmpty)
        },
        Check(name: "old entries are forgotten a few at a time, and the rest can be checked") {
            store in
            let keys = try auditKeys()
            let entries = try await store.recordEntries(6, keys)
            try await store.sealAll(keys, maximumCount: 100)
            let limit = entries[4].occurredAt
            var counts: [Int] = []
            for _ in 0..<4 {
                let expiry = AuditExpiry(keys: keys, limit: limit, maximumCount: 3, now: start)
                guard case .forgotten(let count) = try await store.forget(expiry) else {
                    throw Failure(description: "the chain counts as altered")
                }
                counts.append(count)
            }
            try expect(counts == [3, 1, 0, 0])
            let found = try await store.auditEntries(AuditQuery())
            try expect(found.map(\.entry) == Array(entries[4...]))
            _ = try await store.recordEntries(1, keys)
            try await store.sealAll(keys, maximumCount: 100)
            let steps = try await store.checkAll(keys, maximumCount: 1)
            try expect(steps.flatMap(\.findings).isEmpty)
            try expect(steps.last?.seal?.checkpoint.number == 4)
            try expect(steps.last?.seal?.head.number == 7)
        },
        Check(name: "keys of another server seal nothing, and a restart begins a chain of theirs") {
            store in
            let keys = try auditKeys()
            let others = try auditKeys()
            _ = try await store.recordEntries(2, keys)
            try await store.sealAll(keys, maximumCount: 100)
            let refused = try await store.seal(sealing(others))
            try expect(refused == .altered(.sealInvalid))
            let restarted = try await store.seal(sealing(others, restarts: true))
            guard case .sealed(let seal, 0) = restarted else {
                throw Failure(description: "no restart: \(restarted)")
            }
            try expect(seal.checkpoint.number == 2 && seal.head == seal.checkpoint)
            _ = try await store.recordEntries(1, others)
            try await store.sealAll(others, maximumCount: 100)
            let steps = try await store.checkAll(others, maximumCount: 100)
            try expect(steps.flatMap(\.findings).isEmpty)
            try expect(steps.last?.checkedCount == 1 && steps.last?.seal?.head.number == 3)
        },
    ]

    /// Makes keys that no other server has.
    package static func auditKeys() throws -> AuditKeys {
        AuditKeys(try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1")))
    }

    /// Describes a sealing at the samples' time.
    package static func sealing(
        _ keys: AuditKeys,
        maximumCount: Int = 100,
        restarts: Bool = false
    ) -> AuditSealing {
        AuditSealing(
            keys: keys,
            remembered: nil,
            maximumCount: maximumCount,
            restarts: restarts,
            now: start
        )
    }

    private static func context(
        _ keys: AuditKeys,
        _ detail: String?,
        after seconds: Double = 0
    ) -> AuditContext {
        AuditContext(
            actor: .person,
            address: "192.0.2.1",
            detail: detail,
            now: start.addingTimeInterval(seconds),
            keys: keys
        )
    }
}

extension AccountStore {
    /// Writes entries of two accounts, a second apart, with every value at one time or another.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - keys: what they are signed by.
    /// - Returns: the entries, in their order.
    /// - Throws: `AccountStoreError`.
    package func recordEntries(_ count: Int, _ keys: AuditKeys) async throws -> [AuditEntry] {
        let existing = try await auditEntries(AuditQuery(count: AuditQuery.maximumCount)).count
        let entries = (existing..<existing + count).map { number in
            let isFull = number.isMultiple(of: 2)
            let time = SampleSignIn.start.addingTimeInterval(Double(number))
            let context = AuditContext(
                actor: isFull ? .administrator : .stranger,
                administrator: isFull ? "røøt" : nil,
                address: isFull ? "2001:db8::1" : nil,
                client: isFull ? "com.example.juice" : nil,
                detail: isFull ? "a detail" : nil,
                now: time,
                keys: keys
            )
            return context.entry(
                .sessionEnded,
                of: AccountID("account \(number % 2)"),
                session: isFull ? SessionID("session \(number)") : nil
            )
        }
        try await record(entries)
        return entries
    }

    /// Seals until nothing waits, or so many times.
    ///
    /// - Parameters:
    ///   - keys: the keys.
    ///   - maximumCount: how many entries one transaction takes.
    ///   - roundCount: how many transactions at most.
    /// - Throws: `AccountStoreConformance.Failure` when the chain was altered.
    package func sealAll(
        _ keys: AuditKeys,
        maximumCount: Int,
        roundCount: Int = 100
    ) async throws {
        for _ in 0..<roundCount {
            let sealing = AccountStoreConformance.sealing(keys, maximumCount: maximumCount)
            switch try await seal(sealing) {
            case .altered(let fault):
                throw AccountStoreConformance.Failure(description: "altered: \(fault)")
            case .sealed(_, let count): if count == 0 { return }
            }
        }
    }

    /// Checks the chain from its beginning to its end.
    ///
    /// - Parameters:
    ///   - keys: the keys.
    ///   - expected: an end of the chain that has to be in it.
    ///   - maximumCount: how many entries a step looks at.
    /// - Returns: what each step has found.
    /// - Throws: `AccountStoreError`.
    package func checkAll(
        _ keys: AuditKeys,
        expecting expected: AuditPosition? = nil,
        maximumCount: Int
    ) async throws -> [AuditCheckStep] {
        var steps: [AuditCheckStep] = []
        var position: AuditPosition?
        repeat {
            let part = try await auditPart(
                after: position?.number,
                maximumCount: maximumCount,
                asked: expected?.number
            )
            let check = AuditCheck(
                keys: keys,
                after: position,
                expected: expected,
                maximumCount: maximumCount
            )
            let step = check.step(given: part)
            steps.append(step)
            position = step.next
        } while position != nil
        return steps
    }
}
