import Accounts
import AccountsSQLite
import Foundation
import GRDB
import ServerTestSupport
import TestSupport
import Testing

/// A new SQLite store in a folder of its own.
struct StoreFile {
    let folder: URL
    let store: AccountStore

    static let lending = Lending { body in
        try await withTemporaryFolder { folder in
            let store = try AccountStore(SQLiteDatabase(path: folder.databasePath))
            try await body(StoreFile(folder: folder, store: store))
            try store.close()
        }
    }

    /// The folder and the store of the test that runs.
    static var lent: (URL, AccountStore) {
        get throws {
            let file = try lending.value
            return (file.folder, file.store)
        }
    }
}

func execute(_ sql: String, on store: AccountStore) async throws {
    try await store.queue.writeWithoutTransaction { try $0.execute(sql: sql) }
}

/// Expects that a call fails and changes nothing while writes of one kind fail.
func expectNoChange(
    whileFailing writes: String,
    in store: AccountStore,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> some Any
) async throws {
    let before = try await contents(of: store)
    let trigger = "CREATE TEMP TRIGGER failing BEFORE \(writes)"
    try await execute("\(trigger) BEGIN SELECT raise(ABORT, 'broken'); END", on: store)
    await #expect(throws: AccountStoreError.self, sourceLocation: sourceLocation) {
        try await call()
    }
    let after = try await contents(of: store)
    #expect(after == before, sourceLocation: sourceLocation)
    try await execute("DROP TRIGGER temp.failing", on: store)
}

/// Every row of every table, as text.
func contents(of store: AccountStore) async throws -> [String] {
    try await store.queue.read { database in
        let tables = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        )
        return try tables.flatMap { table in
            try Row.fetchAll(database, sql: "SELECT * FROM \(table)")
                .map { "\(table): \($0.debugDescription)" }
        }
    }
}
