import AppleIdentity
import Foundation
import SignInWithApple

@testable import Accounts

extension AccountStoreConformance {
    static let auditChecks: [Check] = [
        Check("an audit entry and its change are one transaction") { store in
            var sample = SampleSignIn()
            sample.audit = context("native")
            let account = try await store.signIn(sample).signedIn.account
            // A repetition of the same sign-in and a refused one add no entry.
            _ = try await store.completeSignIn(sample.commit)
            var replay = SampleSignIn(identityToken: sample.identityToken)
            replay.audit = context("native")
            try expect(try await store.refusal(completing: replay) == .tokenReplayed)
            let found = try await store.auditEntries(AuditQuery())
            try expect(found.map(\.id) == [sample.audit?.id])
            let entry = try require(found.first)
            try expect(entry.action == "account_created" && entry.detail == "native")
            try expect(entry.account == account.id && entry.session == sample.session)
        },
        Check("an audit entry is written once and never changed") { store in
            let entries = try await store.recordEntries(20)
            try await store.record(Array(entries.dropFirst()))
            let other = AuditEntry(
                id: entries[0].id,
                occurredAt: start,
                action: "sign_in",
                actor: "person"
            )
            try await store.record([other])
            try expect(try await store.auditEntries(AuditQuery()) == entries)
        },
        Check("audit entries of an account are listed in order and in reverse") { store in
            let entries = try await store.recordEntries(6)
            let own = entries.filter { $0.account == "account 0" }
            let account = AccountID("account 0")
            let found = try await store.auditEntries(AuditQuery(account: account))
            try expect(found == own && own.count == 3)
            let latest = try await store.auditEntries(
                AuditQuery(account: account, count: 2, isLatestFirst: true)
            )
            try expect(latest == Array(own.reversed().prefix(2)))
            let rest = try await store.auditEntries(AuditQuery(after: entries[1].id, count: 3))
            try expect(rest == Array(entries[2..<5]))
            let since = AuditID.beginning(at: entries[3].occurredAt)
            let later = try await store.auditEntries(AuditQuery(after: since))
            try expect(later == Array(entries[3...]))
        },
        Check("audit entries outlive the account and are in no other export") { store in
            var sample = SampleSignIn()
            sample.audit = context("native")
            let account = try await store.signIn(sample).signedIn.account
            let export = try require(try await store.export(account.id, now: start))
            try expect(export.auditEntries.map(\.action) == ["account_created"])
            var gone = AccountStoreConformance.deletion(of: account.id, by: sample)
            gone.audit = context(nil, after: 1)
            _ = try await store.deleteAccount(gone)
            let found = try await store.auditEntries(AuditQuery(account: account.id))
            try expect(found.map(\.action) == ["account_created", "account_deleted"])
            let other = SampleSignIn(user: "000002.noah")
            let noah = try await store.signIn(other).signedIn.account
            let otherExport = try require(try await store.export(noah.id, now: start))
            try expect(otherExport.auditEntries.isEmpty)
        },
        Check("old audit entries are deleted in batches, each by its own time") { store in
            // The first entry is from a clock that was ahead.
            let ahead = context("ahead", after: 1e6).entry(.export, of: "account 0")
            try await store.record([ahead])
            let entries = try await store.recordEntries(6)
            var counts: [Int] = []
            for _ in 0..<4 {
                counts.append(
                    try await store.forgetAuditEntries(
                        until: entries[3].occurredAt,
                        maximumCount: 3
                    )
                )
            }
            try expect(counts == [3, 1, 0, 0])
            try expect(try await store.auditEntries(AuditQuery()) == Array(entries[4...]) + [ahead])
            let count = try await store.forgetAuditEntries(
                until: ahead.occurredAt,
                maximumCount: 10
            )
            try expect(count == 3)
            try expect(try await store.auditEntries(AuditQuery()).isEmpty)
        },
    ]

    private static func context(_ detail: String?, after seconds: Double = 0) -> AuditContext {
        AuditContext(
            actor: .person,
            address: "192.0.2.1",
            detail: detail,
            now: start.addingTimeInterval(seconds)
        )
    }
}

extension AccountStore {
    /// Writes entries of two accounts, a second apart, half of them with all values.
    package func recordEntries(_ count: Int) async throws -> [AuditEntry] {
        let entries = (0..<count).map { number in
            let isFull = number.isMultiple(of: 2)
            let time = SampleSignIn.start.addingTimeInterval(Double(number))
            let context = AuditContext(
                actor: isFull ? .administrator : .stranger,
                administrator: isFull ? "røøt" : nil,
                address: isFull ? "2001:db8::1" : nil,
                client: isFull ? "com.example.juice" : nil,
                detail: isFull ? "a detail" : nil,
                now: time
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
}
