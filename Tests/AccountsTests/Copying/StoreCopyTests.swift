import AccountStoreConformance
import AppleIdentity
import Foundation
import GRDB
import ServerTestSupport
import TestSupport
import Testing

@testable import Accounts
@testable import AccountsSQLite

/// So many rows of each kind has a store that is copied.
private let rowCount = 23

/// A filled store and an empty one for each test.
private let stores = Lending { body in
    try await withTemporaryFolder { folder in
        let source = try AccountStore(SQLiteDatabase(path: folder.databasePath))
        var random = RandomRows(seed: 1)
        try await random.fill(source, count: rowCount)
        let copy = folder.databasePath + "-copy"
        let target = try AccountStore(SQLiteDatabase(path: copy, isForCopying: true))
        try await body((source, target))
        try? target.close()
        try source.close()
    }
}

@Suite("A copy of a store", stores) struct StoreCopyTests {
    private let (source, target): (AccountStore, AccountStore)
    init() throws { (source, target) = try stores.value }

    @Test("contains every row of every table, and servers open it when it is finished")
    func wholeCopy() async throws {
        let maya = try await source.signIn(SampleSignIn()).signedIn
        let report = try await StoreCopy(from: source, to: target, batchCount: 7).run()
        #expect(report.accountCount == rowCount + 1)
        let tables = report.tables
        #expect(tables.map(\.name) == StoreTable.all.map(\.name))
        #expect(tables.allSatisfy { $0.rowCount >= rowCount })
        #expect(try await rows(source) == rows(target))
        let path = target.queue.path
        try target.close()
        let server = try AccountStore(SQLiteDatabase(path: path))
        #expect(try await server.accounts(after: nil, maximumCount: 500).contains(maya.account))
        try server.close()
    }

    @Test("continues where it stopped, at any point")
    func stoppedEverywhere() async throws {
        let path = target.queue.path
        try target.close()
        // Each run is killed before one step more than the run before; the last one is not.
        var stopCount = 0
        var readCount = 0
        while stopCount < 1_000 {
            let store = try AccountStore(SQLiteDatabase(path: path, isForCopying: true))
            let counter = StepCounter(maximumCount: stopCount % 40 + 1)
            let isStopped = try await isStopped(copy(source, store) { try counter.count($0) })
            readCount += counter.checkedCount
            guard isStopped else {
                #expect(try await rows(source) == rows(store))
                try store.close()
                break
            }
            try store.close()
            #expect(throws: AccountStoreError(.failed, hint: CopyState.unfinishedHint)) {
                try AccountStore(SQLiteDatabase(path: path))
            }
            stopCount += 1
        }
        #expect(stopCount > 2)
        #expect(stopCount < 1_000)
        #expect(readCount > 0)
        try SQLiteDatabase(path: path).close()
    }

    @Test(
        "finds a row that was changed, removed or added in the target",
        arguments: [
            (
                """
                UPDATE accounts SET created_at = created_at + 1
                WHERE id = (SELECT max(id) FROM accounts)
                """,
                "altered"
            ),
            ("DELETE FROM used_once WHERE hash = (SELECT min(hash) FROM used_once)", "missing"),
            ("INSERT INTO used_once VALUES (x'00', 1)", "additional"),
        ]
    )
    func alteredTarget(change: String, word: String) async throws {
        await stop(
            copy(source, target) { step in
                if case .comparing = step { throw StepCounter.Stopped() }
            }
        )
        try await execute(change, on: target)
        let error = try await copyError(copy(source, target))
        #expect(error?.message.contains("the row is \(word)") == true)
        let table = word == "altered" ? "accounts" : "used_once"
        #expect(error?.message.contains("in the table \(table)") == true)
        #expect(try await target.copyState()?.isFinished == false)
        try await copy(source, target).run(restarting: true)
        #expect(try await rows(source) == rows(target))
    }

    @Test(
        "finds that its source has changed between two runs",
        arguments: [
            "UPDATE accounts SET name = 'other' WHERE id = (SELECT min(id) FROM accounts)",
            "DELETE FROM accounts WHERE id = (SELECT min(id) FROM accounts)",
            "DELETE FROM accounts",
        ]
    )
    func changedSource(change: String) async throws {
        await stop(
            copy(source, target) { step in
                if case .copying("outbox", _, _) = step { throw StepCounter.Stopped() }
            }
        )
        try await execute(change, on: source)
        #expect(try await copyError(copy(source, target)) == .sourceChanged("accounts"))
        try await copy(source, target).run(restarting: true)
        #expect(try await rows(source) == rows(target))
    }

    @Test("is refused when the target has other rows")
    func occupiedTarget() async throws {
        #expect(try await copyError(copy(source, source)) == .itself)
        try await execute("INSERT INTO used_once VALUES (x'00', 1)", on: target)
        #expect(try await copyError(copy(source, target)) == .occupied("used_once"))
        // Also when everything of an unfinished copy may go: this is none.
        let restarted = await #expect(throws: StoreCopyError.self) {
            try await copy(source, target).run(restarting: true)
        }
        #expect(restarted == .occupied("used_once"))
        try await execute("DELETE FROM used_once", on: target)
        try await copy(source, target).run()
        #expect(try await copyError(copy(source, target)) == .finished)
    }

    @Test("of another store is not continued")
    func otherSource() async throws {
        await stop(
            copy(source, target) { step in
                if case .comparing = step { throw StepCounter.Stopped() }
            }
        )
        try await withTemporaryFolder { folder in
            let other = try AccountStore(SQLiteDatabase(path: folder.databasePath))
            #expect(try await copyError(copy(other, target)) == .otherSource)
            try other.close()
        }
    }

    @Test("contains all tables of the file")
    func tables() async throws {
        let found = try await source.queue.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT tables.name || '.' || columns.name
                    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
                    WHERE tables.type = 'table'
                    """
            )
            .map { $0[0] as String }
        }
        // What each database has for itself.
        let own = [
            "grdb_migrations.", "store_identity.", "store_copies.",
            "copied_tables.", "server_keys.",
        ]
        let left = found.filter { name in !own.contains { name.hasPrefix($0) } }
        let copied = StoreTable.all.flatMap { table in
            table.columns.map { "\(table.name).\($0.name)" }
        }
        #expect(Set(left) == Set(copied))
    }
}

extension StoreCopyTests {
    @Test(
        "is in the audit log of both databases, once although it was stopped, and not when refused"
    )
    func audited() async throws {
        // Each run makes an entry of its own, as the command does.
        func audit(after seconds: Double) -> AuditContext {
            AuditContext(
                actor: .administrator,
                administrator: "eve",
                detail: "sqlite to sqlite",
                now: SampleSignIn.start.addingTimeInterval(seconds)
            )
        }
        let itself = StoreCopy(from: source, to: source, audit: audit(after: 0))
        #expect(try await copyError(itself) == .itself)
        #expect(try await copies(in: source).isEmpty)
        for (seconds, maximumCount) in [(1.0, 9), (2, 1_000)] {
            let counter = StepCounter(maximumCount: maximumCount)
            let copy = StoreCopy(
                from: source,
                to: target,
                batchCount: 5,
                audit: audit(after: seconds),
                onStep: { try counter.count($0) }
            )
            #expect(try await isStopped(copy) == (maximumCount == 9))
        }
        for store in [source, target] {
            let entry = try #require(try await copies(in: store).first)
            #expect(try await copies(in: store).count == 1)
            #expect(entry.actor == "administrator" && entry.administrator == "eve")
            #expect(entry.detail == "sqlite to sqlite")
            #expect(entry.occurredAt == SampleSignIn.start.addingTimeInterval(1))
        }
    }

    private func copies(in store: AccountStore) async throws -> [AuditEntry] {
        try await store.auditEntries(AuditQuery(count: 1_000))
            .filter { $0.action == AuditAction.databaseCopied.rawValue }
    }

    private func copy(
        _ source: AccountStore,
        _ target: AccountStore,
        onStep: @escaping @Sendable (StoreCopyStep) throws -> Void = { _ in }
    ) -> StoreCopy {
        StoreCopy(from: source, to: target, batchCount: 5, onStep: onStep)
    }

    /// Runs a copy that is stopped on its way.
    private func stop(_ copy: StoreCopy) async {
        await #expect(throws: StepCounter.Stopped.self) { try await copy.run() }
    }

    private func isStopped(_ copy: StoreCopy) async throws -> Bool {
        do {
            try await copy.run()
            return false
        } catch is StepCounter.Stopped {
            return true
        }
    }

    private func copyError(_ copy: StoreCopy) async throws -> StoreCopyError? {
        await #expect(throws: StoreCopyError.self) { try await copy.run() }
    }

    private func rows(_ store: AccountStore) async throws -> [[StoreRow]] {
        var all: [[StoreRow]] = []
        for table in StoreTable.all {
            all.append(try await store.rows(of: table, after: nil, maximumCount: 10_000))
        }
        return all
    }
}

/// Stops a copy as a killed process would, at a batch's end.
private final class StepCounter: Sendable {
    struct Stopped: Error {}

    private let steps = LockedValue((count: 0, checkedCount: 0))
    private let maximumCount: Int

    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// How often something was read again that had been copied.
    var checkedCount: Int { steps.withLock { $0.checkedCount } }

    func count(_ step: StoreCopyStep) throws {
        try steps.withLock { steps in
            if case .checking = step {
                steps.checkedCount += 1
                return
            }
            steps.count += 1
            if steps.count > maximumCount { throw Stopped() }
        }
    }
}
