import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import GRDB
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsSQLite

@Suite("The SQLite writer", StoreFile.lending) struct SQLiteWriterTests {
    private let (folder, store): (URL, AccountStore)
    init() throws { (folder, store) = try StoreFile.lent }

    @Test("shares a flush among all jobs that waited for the last one")
    func groupCommit() async throws {
        let before = store.sqlite.writer.counts.commits
        let outcomes = try await signIns(60, in: store, whileHolding: {})
        #expect(outcomes.count { $0.isSignedIn } == 60)
        let commits = store.sqlite.writer.counts.commits - before
        #expect(commits < 10, "\(commits) commits for 60 sign-ins that waited together")
    }

    @Test(
        "fails only the failing job of a batch, even if it ends the transaction",
        arguments: ["ABORT", "ROLLBACK"]
    )
    func oneFailure(ending: String) async throws {
        try await execute(
            """
            CREATE TEMP TRIGGER failing BEFORE INSERT ON apple_identities
            WHEN NEW.subject = '7' BEGIN SELECT raise(\(ending), 'broken by the test'); END
            """,
            on: store
        )
        let outcomes = try await signIns(20, in: store, whileHolding: {})
        #expect(outcomes.count { $0.isSignedIn } == 19)
        #expect(try await rowCount("accounts", in: store) == 19)
        #expect(try await rowCount("sessions", in: store) == 19)
    }

    @Test("reports that it is busy after a long wait, or when the queue is full")
    func limits() async throws {
        let time = ManualTime()
        let store = try AccountStore(
            SQLiteDatabase(
                path: folder.appending(path: "held.sqlite").path,
                busyTimeout: 0,
                time: time.source
            )
        )
        let count = SQLiteWriter.maximumWaitingCount + 5
        let outcomes = try await signIns(count, in: store) {
            time.advance(bySeconds: SQLiteWriter.maximumWait + 1)
        }
        let hints = outcomes.compactMap(\.hint)
        #expect(hints.count { $0.contains("too many") } == 5)
        #expect(hints.count { $0.contains("too long") } == SQLiteWriter.maximumWaitingCount)
        #expect(outcomes.allSatisfy { $0.kind == .unavailable })
        #expect(try await rowCount("accounts", in: store) == 0)
        try store.close()
    }

    @Test("refuses a file that is already open, with a clear message")
    func owner() async throws {
        let error = #expect(throws: AccountStoreError.self) {
            try AccountStore(SQLiteDatabase(path: folder.databasePath))
        }
        #expect(error?.hint.contains("open in another process") == true)
        try store.close()
        try SQLiteDatabase(path: folder.databasePath).close()
    }

    private struct Ending: Sendable {
        var isSignedIn = false
        var kind: AccountStoreError.Kind?
        var hint: String?
    }

    /// Queues first sign-ins of different people while the writer is held up, then lets it go.
    private func signIns(
        _ count: Int,
        in store: AccountStore,
        whileHolding: @Sendable () -> Void
    ) async throws -> [Ending] {
        let gate = DispatchSemaphore(value: 0)
        let before = store.sqlite.writer.counts.offers
        store.queue.asyncWriteWithoutTransaction { _ in gate.wait() }
        return try await withThrowingTaskGroup { group in
            for number in 0..<count { group.addTask { await ending(number, store) } }
            do {
                defer { gate.signal() }
                try await waitUntil { store.sqlite.writer.counts.offers >= before + count }
                whileHolding()
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func ending(_ number: Int, _ store: AccountStore) async -> Ending {
        let sample = SampleSignIn(user: UserID("\(number)"))
        do {
            let outcome = try await store.completeSignIn(sample.commit)
            if case .success = outcome { return Ending(isSignedIn: true) }
            return Ending()
        } catch {
            return Ending(kind: error.kind, hint: error.hint)
        }
    }

    private func rowCount(_ table: String, in store: AccountStore) async throws -> Int {
        try await store.queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
    }
}
