import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import GRDB
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsSQLite

@Suite("Apple's events in the SQLite file", StoreFile.lending)
struct SQLiteEventTests {
    private let (folder, store): (URL, AccountStore)
    init() throws { (folder, store) = try StoreFile.lent }

    private let start = SampleSignIn.start

    @Test(
        "are stored with any time that Apple may send",
        arguments: [0, -1e300, 1e300] as [Double]
    )
    func anyTime(seconds: TimeInterval) async throws {
        try await store.signIn(sample)
        let event = AccountStoreConformance.event(
            .emailDisabled(address: nil),
            at: seconds,
            now: 10
        )
        #expect(try await store.apply(event) != .repeated)
        #expect(try await store.apply(event) == .repeated)
    }

    @Test(
        "change nothing when any of their writes fails",
        arguments: [
            ("INSERT ON apple_events", AppleEvent.Change.consentRevoked),
            ("DELETE ON sessions", .consentRevoked),
            ("DELETE ON apple_refresh_tokens", .consentRevoked),
            ("UPDATE ON accounts", .consentRevoked),
            ("UPDATE ON apple_identities", .consentRevoked),
            ("DELETE ON accounts", .accountDeleted), ("DELETE ON sessions", .accountDeleted),
            ("UPDATE ON accounts", .emailDisabled(address: nil)),
        ]
    )
    func failingWrite(_ write: String, _ change: AppleEvent.Change) async throws {
        let account = try await store.signIn(sample).signedIn.account
        let event = AccountStoreConformance.event(change, at: 10)
        try await expectNoChange(whileFailing: write, in: store) { try await store.apply(event) }
        #expect(try await store.apply(event) == .applied(account.id))
    }

    @Test("leave no trace of a deleted Apple Account, not even in the log")
    func erasure() async throws {
        try await store.signIn(sample)
        _ = try await store.apply(AccountStoreConformance.event(.accountDeleted, at: 10))
        try await store.wipeTraces()
        let bytes = try folder.everything()
        for trace in ["000001.maya", "Uniquename", "unique-address"] {
            #expect(bytes.range(of: Data(trace.utf8)) == nil, "\(trace) is still there")
        }
    }

    @Test("are found by the index of ends of consent")
    func index() async throws {
        let plan = try await store.queue.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    EXPLAIN QUERY PLAN SELECT 1 FROM apple_events
                    WHERE person_hash = x'00' AND consent_ended_at >= 1 LIMIT 1
                    """
            )
            .map { String(describing: $0["detail"] as String?) }
        }
        #expect(plan.count == 1)
        #expect(plan.allSatisfy { $0.contains("apple_events_by_person") })
    }

    private var sample: SampleSignIn {
        var sample = SampleSignIn(name: "Maya Uniquename", refreshToken: "token")
        sample.email = EmailAddress(
            text: "unique-address@example.com",
            isVerified: true,
            isPrivateRelay: true
        )
        return sample
    }
}
