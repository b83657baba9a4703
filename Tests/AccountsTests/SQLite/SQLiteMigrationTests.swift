import AccountStoreConformance
import AppleIdentity
import Foundation
import GRDB
import ServerTestSupport
import TestSupport
import Testing

@testable import Accounts
@testable import AccountsSQLite

@Suite("An SQLite file of another version", TemporaryFolder.lending) struct SQLiteMigrationTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    /// The copy that is made before the first migration of a later program.
    private var copyPath: String {
        "\(folder.databasePath).before-\(SQLiteSchema.migrator.migrations.count + 1)"
    }

    /// The migrations of a program after this one.
    private static var laterMigrator: DatabaseMigrator {
        var migrator = SQLiteSchema.migrator
        migrator.registerMigration("of a later program") { database in
            try database.execute(sql: "ALTER TABLE accounts RENAME COLUMN name TO called")
        }
        return migrator
    }

    @Test("is backed up before its tables change, readable only by its owner")
    func backup() async throws {
        try await makeFile(folder)
        try bringUpToDate()
        let permissions = try FileManager.default.attributesOfItem(atPath: copyPath)
        #expect(permissions[.posixPermissions] as? Int == 0o600)
        #expect(try await names("name", in: copyPath) == ["Maya"])
        #expect(try await names("called", in: folder.databasePath) == ["Maya"])
        // Nothing changes at the next start: nothing is copied.
        try FileManager.default.removeItem(atPath: copyPath)
        try bringUpToDate()
        #expect(!FileManager.default.fileExists(atPath: copyPath))
    }

    @Test("keeps all rows when a migration step fails")
    func failing() async throws {
        try await makeFile(folder)
        var failing = Self.laterMigrator
        failing.registerMigration("that fails") { database in
            try database.execute(sql: "UPDATE accounts SET called = 'Noah'; SELECT * FROM no_table")
        }
        #expect(throws: DatabaseError.self) { try bringUpToDate(by: failing) }
        #expect(try await names("name", in: copyPath) == ["Maya"])
        #expect(try await names("called", in: folder.databasePath) == ["Maya"])
    }

    @Test("has a copy that is kept for thirty days, and no other file is removed with it")
    func oldCopies() async throws {
        let log = LogRecorder()
        // Files have the system's time.
        let time = ManualTime(now: TimeSource.live.now)
        func open() throws {
            try SQLiteDatabase(
                path: folder.databasePath,
                busyTimeout: 0,
                time: time.source,
                logger: log.logger
            ).close()
        }
        let copy = folder.databasePath + ".before-4"
        for name in [".before-4", ".before-4-wal", ".before-", ".before-4.mine", ".before-mine"] {
            try Data().write(to: URL(filePath: folder.databasePath + name))
        }
        time.advance(bySeconds: SQLiteDatabase.earlierCopyMemory - 60)
        try open()
        #expect(FileManager.default.fileExists(atPath: copy))
        #expect(log.text.isEmpty)
        time.advance(bySeconds: 120)
        try open()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(
            names.filter { $0.contains(".before-") }.sorted() == [
                "accounts.sqlite.before-", "accounts.sqlite.before-4.mine",
                "accounts.sqlite.before-mine",
            ]
        )
        #expect(log.text.contains("notice removed an old copy"))
        #expect(log.text.contains("accounts.sqlite.before-4"))
        #expect(names.contains("accounts.sqlite"))
    }

    @Test("from a newer program is refused and stays unchanged")
    func newer() async throws {
        try await makeFile(folder)
        try bringUpToDate()
        let error = #expect(throws: AccountStoreError.self) {
            try AccountStore(SQLiteDatabase(path: folder.databasePath))
        }
        #expect(error?.kind == .failed)
        #expect(error?.hint.contains("newer version") == true)
        #expect(try await names("called", in: folder.databasePath) == ["Maya"])
    }

    /// A file of this program, with an account.
    private func makeFile(_ folder: URL) async throws {
        let store = try AccountStore(SQLiteDatabase(path: folder.databasePath))
        let sample = SampleSignIn(name: AccountName("Maya"))
        try await store.signIn(sample)
        try store.close()
    }

    private func bringUpToDate(by migrator: DatabaseMigrator = laterMigrator) throws {
        let queue = try DatabaseQueue(path: folder.databasePath)
        defer { try? queue.close() }
        try SQLiteSchema.bringUpToDate(queue, path: folder.databasePath, by: migrator)
    }

    private func names(_ column: String, in path: String) async throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        let names = try await queue.read {
            try String.fetchAll($0, sql: "SELECT \(column) FROM accounts")
        }
        try queue.close()
        return names
    }
}
