import AccountStoreConformance
import Accounts
import AccountsSQLite
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@Suite("Who can write to the database but has no key")
struct AuditTamperingTests {
    /// One way to change the log, and what a check finds of it.
    struct Change: Sendable, CustomStringConvertible {
        let description: String
        let sql: String
        let findings: [String]

        init(_ description: String, _ sql: String, _ findings: [String]) {
            self.description = description
            self.sql = sql
            self.findings = findings
        }
    }

    static let changes = [
        Change(
            "changes an entry",
            "UPDATE audit_entries SET actor = 'person' WHERE number = 3",
            ["entry_altered 3"]
        ),
        Change(
            "takes the account from an entry",
            "UPDATE audit_entries SET account_id = NULL WHERE number = 2",
            ["entry_altered 2"]
        ),
        Change(
            "has an address missing that was empty",
            "UPDATE audit_entries SET address = '' WHERE number = 2",
            ["entry_altered 2"]
        ),
        Change(
            "calls an entry signed that was not",
            "UPDATE audit_entries SET proof = 'unsigned' WHERE number = 2",
            ["entry_altered 2"]
        ),
        Change(
            "changes an entry and its hash",
            "UPDATE audit_entries SET actor = 'x', hash = zeroblob(32) WHERE number = 3",
            ["entry_altered 3", "entry_altered 4"]
        ),
        Change(
            "takes an entry from the middle",
            "DELETE FROM audit_entries WHERE number = 3",
            ["entry_missing 4"]
        ),
        Change(
            "takes the first entry",
            "DELETE FROM audit_entries WHERE number = 1",
            ["entry_missing 2"]
        ),
        Change(
            "takes the last entries",
            "DELETE FROM audit_entries WHERE number > 3",
            ["end_altered 5"]
        ),
        Change(
            "exchanges two entries",
            """
            UPDATE audit_entries SET number = -1 WHERE number = 2;
            UPDATE audit_entries SET number = 2 WHERE number = 3;
            UPDATE audit_entries SET number = 3 WHERE number = -1
            """,
            ["entry_altered 2", "entry_altered 3", "entry_altered 4"]
        ),
        Change(
            "adds an entry at the end",
            """
            INSERT INTO audit_entries (number, id, occurred_at, action, actor, proof, hash)
            VALUES (6, 'x', 0, 'sign_in', 'person', 'signed', zeroblob(32))
            """,
            ["entry_altered 6", "end_altered 5"]
        ),
        Change(
            "adds one with the largest number",
            """
            INSERT INTO audit_entries (number, id, occurred_at, action, actor, proof, hash)
            VALUES (9223372036854775807, 'x', 0, 'sign_in', 'person', 'signed', zeroblob(32))
            """,
            ["entry_missing 9223372036854775807", "end_altered 5"]
        ),
        Change(
            "moves the end to an earlier entry, and takes the rest",
            """
            UPDATE audit_seal SET head_number = 3,
                head_hash = (SELECT hash FROM audit_entries WHERE number = 3);
            DELETE FROM audit_entries WHERE number > 3
            """,
            ["seal_invalid"]
        ),
        Change(
            "moves the beginning to a later entry, and takes the rest",
            """
            UPDATE audit_seal SET checkpoint_number = 3,
                checkpoint_hash = (SELECT hash FROM audit_entries WHERE number = 3);
            DELETE FROM audit_entries WHERE number <= 3
            """,
            ["seal_invalid"]
        ),
        Change(
            "makes the seal younger",
            "UPDATE audit_seal SET sealed_at = sealed_at + 1",
            ["seal_invalid"]
        ),
        Change("takes the seal", "DELETE FROM audit_seal", ["seal_missing"]),
        Change(
            "makes the seal that of a new database",
            """
            UPDATE audit_seal SET started_at = 0, checkpoint_number = 0, head_number = 0,
                checkpoint_hash = zeroblob(32), head_hash = zeroblob(32), code = NULL
            """,
            ["seal_invalid", "end_altered 0"]
        ),
    ]

    @Test("is found out who", arguments: changes)
    func found(_ change: Change) async throws {
        try await Self.withChain { store, keys in
            try await execute(change.sql, on: store)
            for count in [100, 2] {
                let steps = try await store.checkAll(keys, maximumCount: count)
                let found = steps.flatMap(\.findings).map(Self.words)
                #expect(Set(found) == Set(change.findings))
            }
            // What is forgotten meanwhile hides nothing.
            let later = SampleSignIn.start.addingTimeInterval(1e6)
            let expiry = AuditExpiry(keys: keys, limit: later, maximumCount: 100, now: later)
            _ = try await store.forget(expiry)
            let left = try await store.checkAll(keys, maximumCount: 100)
            #expect(!left.flatMap(\.findings).isEmpty)
        }
    }

    @Test("can't have the chain go on behind another end")
    func notSealed() async throws {
        for sql in [
            "DELETE FROM audit_entries WHERE number > 3", "DELETE FROM audit_seal",
            "UPDATE audit_seal SET head_number = 3",
            "INSERT INTO audit_entries SELECT 6, id, occurred_at, action, actor, administrator, "
                + "account_id, session_id, address, client, detail, code, proof, hash "
                + "FROM audit_entries WHERE number = 5",
        ] {
            try await Self.withChain { store, keys in
                try await execute(sql, on: store)
                _ = try await store.recordEntries(1, keys)
                let outcome = try await store.seal(AccountStoreConformance.sealing(keys))
                guard case .altered = outcome else {
                    Issue.record("sealed after \(sql)")
                    return
                }
                let records = try await store.auditEntries(AuditQuery())
                #expect(records.contains { $0.number == nil })
            }
        }
    }

    @Test("can't change or invent an entry before it is sealed either")
    func forged() async throws {
        try await Self.withChain { store, keys in
            _ = try await store.recordEntries(2, keys)
            try await execute(
                """
                UPDATE audit_waiting SET account_id = 'somebody else' WHERE actor = 'stranger';
                INSERT INTO audit_waiting (id, occurred_at, action, actor, code)
                    VALUES ('forged', 0, 'sign_in', 'person', zeroblob(32));
                INSERT INTO audit_waiting (id, occurred_at, action, actor)
                    VALUES ('by hand', 0, 'sign_in', 'person')
                """,
                on: store
            )
            try await store.sealAll(keys, maximumCount: 100)
            let steps = try await store.checkAll(keys, maximumCount: 100)
            let findings = steps.flatMap(\.findings)
            #expect(findings.map(\.fault) == [.entryForged, .entryForged])
            #expect(steps.map(\.unsignedCount) == [1])
            let proofs = try await store.auditEntries(AuditQuery()).map(\.proof)
            #expect(proofs.count { $0 == "altered" } == 2)
        }
    }

    @Test("can put all of it back, and is found out by an end that was written down elsewhere")
    func putBack() async throws {
        try await Self.withChain { store, keys in
            let earlier = try await store.auditPart(after: nil, maximumCount: 1, asked: nil)
            try await execute("CREATE TABLE kept AS SELECT * FROM audit_seal", on: store)
            _ = try await store.recordEntries(2, keys)
            try await store.sealAll(keys, maximumCount: 100)
            let head = try #require(
                try await store.checkAll(keys, maximumCount: 100).last?.seal?.head
            )
            try await execute(
                """
                DELETE FROM audit_entries WHERE number > 5; DELETE FROM audit_seal;
                INSERT INTO audit_seal SELECT * FROM kept
                """,
                on: store
            )
            #expect(try await store.checkAll(keys, maximumCount: 100).flatMap(\.findings).isEmpty)
            let steps = try await store.checkAll(keys, expecting: head, maximumCount: 100)
            #expect(steps.flatMap(\.findings).map(Self.words) == ["head_unknown 7"])
            let older = try #require(earlier.seal?.head)
            let known = try await store.checkAll(keys, expecting: older, maximumCount: 100)
            #expect(known.flatMap(\.findings).isEmpty)
        }
    }

    /// A chain of five entries.
    static func withChain(
        _ body: (SQLiteAccountStore, AuditKeys) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteAccountStore(path: folder.databasePath)
            let keys = try AccountStoreConformance.auditKeys()
            _ = try await store.recordEntries(5, keys)
            try await store.sealAll(keys, maximumCount: 100)
            try await body(store, keys)
            try store.close()
        }
    }

    static func words(_ finding: AuditFinding) -> String {
        finding.fault.rawValue + (finding.number.map { " \($0)" } ?? "")
    }
}
