import AccountStoreConformance
import AccountsSQLite
import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import AccountsPostgreSQL

@Suite("A copy between SQLite and PostgreSQL")
struct PostgreSQLCopyTests {
    @Test("has every row there and back again, also those at the limits")
    func roundTrip() async throws {
        try await withFile { source in
            var random = RandomRows(seed: 2)
            try await random.fill(source, count: 40)
            let maya = SampleSignIn()
            try await source.signIn(maya)
            try await TestCluster.withStore { target in
                let report = try await StoreCopy(from: source, to: target, batchCount: 7).run()
                #expect(report.accountCount == 41)
                let session = try await target.session(tokenHash: maya.token.hash, now: maya.now)
                #expect(session?.session.id == maya.session)
                try await withFile { back in
                    try await StoreCopy(from: target, to: back, batchCount: 9).run()
                    for table in StoreTable.all {
                        let before = try await source.rows(of: table, after: nil, maximumCount: 100)
                        let after = try await back.rows(of: table, after: nil, maximumCount: 100)
                        #expect(before == after, "\(table.name)")
                    }
                }
            }
        }
    }

    @Test("that is unfinished is opened by no server, and by another copy")
    func unfinished() async throws {
        struct Stopped: Error {}
        try await withFile { source in
            try await source.signIn(SampleSignIn())
            try await TestCluster.withSchema { settings in
                let store = try await TestCluster.patientStore(settings)
                await #expect(throws: Stopped.self) {
                    try await StoreCopy(from: source, to: store) { step in
                        if case .comparing = step { throw Stopped() }
                    }
                    .run()
                }
                store.postgreSQL.close()
                await #expect(
                    throws: AccountStoreError(.failed, hint: CopyState.unfinishedHint)
                ) {
                    try await AccountStore(PostgreSQLDatabase(settings, logger: TestCluster.quiet))
                }
                let again = try await AccountStore(
                    PostgreSQLDatabase(
                        settings.patient,
                        isForCopying: true,
                        time: .patient,
                        logger: TestCluster.quiet
                    )
                )
                try await StoreCopy(from: source, to: again).run()
                again.postgreSQL.close()
                try await TestCluster.patientStore(settings).close()
            }
        }
    }

    @Test("tells which rows PostgreSQL can't keep")
    func refusedRow() async throws {
        try await withFile { source in
            // An index has no room for a text as long, and random bytes can't be compressed.
            let username = (0..<200).map { _ in UUID().uuidString }.joined()
            let row: StoreRow = [
                .text("maya"), .text(nil), .text(nil), .text(nil), .text(nil), .text(nil),
                .boolean(false), .boolean(false), .boolean(false), .integer(nil), .text(nil),
                .text(nil), .boolean(true), .integer(nil), .text(username), .integer(nil),
                .integer(0),
            ]
            let state = CopyState.Table(position: "", digest: "")
            let batch = CopyBatch(table: StoreTable.all[0], rows: [row], state: state)
            try await source.add(batch)
            try await TestCluster.withStore { target in
                let error = await #expect(throws: StoreCopyError.self) {
                    try await StoreCopy(from: source, to: target).run()
                }
                #expect(error?.message.contains("the rows of accounts that start at maya") == true)
                #expect(error?.hint.contains("accounts_by_username") == true)
                let count = try await target.rowCount(of: StoreTable.all[0])
                #expect(count == 0)
            }
        }
    }

    @Test("does not count two runs at once twice")
    func twoAtOnce() async throws {
        try await withFile { source in
            var random = RandomRows(seed: 3)
            try await random.fill(source, count: 20)
            try await TestCluster.withStore { target in
                let results = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            let copy = StoreCopy(from: source, to: target, batchCount: 3)
                            return (try? await copy.run()) != nil
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                if !results.contains(true) {
                    try await StoreCopy(from: source, to: target).run()
                }
                #expect(try await target.copyState()?.isFinished == true)
                for table in StoreTable.all {
                    #expect(try await target.rowCount(of: table) == 20)
                }
                let counted = try await target.execute(
                    "SELECT count(*) FROM pg_class WHERE relname = 'accounts' AND reltuples = 20"
                )
                #expect(try counted.first?.count(0) == 1, "the planner knows the tables")
            }
        }
    }

    @Test("has no table left out that the database has")
    func tables() async throws {
        try await TestCluster.withStore { store in
            let rows = try await store.execute(
                """
                SELECT (table_name || '.' || column_name)::TEXT FROM information_schema.columns
                WHERE table_schema = current_schema()
                """
            )
            // What each database has for itself.
            let own = [
                "schema_versions.", "store_identity.", "store_copies.",
                "copied_tables.", "server_keys.",
            ]
            let found = try rows.rows.map { try $0.text(0) }
                .filter { name in !own.contains { name.hasPrefix($0) } }
            let copied = StoreTable.all.flatMap { table in
                table.columns.map { "\(table.name).\($0.name)" }
            }
            #expect(Set(found) == Set(copied))
        }
    }

    private func withFile<Answer>(
        _ body: (AccountStore) async throws -> Answer
    ) async throws -> Answer {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "accounts.sqlite").path
        let store = try AccountStore(SQLiteDatabase(path: path, isForCopying: true))
        let answer = try await body(store)
        try store.close()
        return answer
    }
}
