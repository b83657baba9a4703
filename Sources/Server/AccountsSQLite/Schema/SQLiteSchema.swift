import Accounts
import GRDB

/// The migrations of a database file; a released migration never changes.
enum SQLiteSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in SQLSchema(.sqlite).migrations {
            migrator.registerMigration(migration.name) { database in
                for statement in migration.statements { try database.execute(sql: statement) }
            }
        }
        return migrator
    }

    /// Migrates a file's tables, and copies a file that already has tables first.
    ///
    /// - Throws: `AccountStoreError` when a newer version has migrated the tables; SQLite's error when the copy fails.
    static func bringUpToDate(
        _ queue: DatabaseQueue,
        path: String,
        by migrator: DatabaseMigrator = migrator
    ) throws {
        let (isNewer, isOld, applied) = try queue.read { database in
            (
                try migrator.hasBeenSuperseded(database),
                try !migrator.hasCompletedMigrations(database),
                try migrator.appliedIdentifiers(database)
            )
        }
        guard !isNewer else { throw AccountStoreError.newerTables }
        if isOld, !applied.isEmpty { try backUp(queue, to: "\(path).before-\(applied.count + 1)") }
        try migrator.migrate(queue)
    }

    /// Refuses a file without this version's tables, and changes nothing.
    static func requireCurrentTables(_ path: String) throws(AccountStoreError) {
        let file = try ReadOnlyFile(path: SQLiteDatabase.resolved(path))
        let name = "SELECT name FROM sqlite_schema WHERE name = 'grdb_migrations'"
        guard try !file.texts(name).isEmpty else { throw .noTables }
        switch try SQLiteFacts.Schema(file) {
        case .current: break
        case .older: throw .olderTables
        case .newer: throw .newerTables
        }
    }

    private static func backUp(_ queue: DatabaseQueue, to path: String) throws {
        SQLiteDatabase.createPrivately(path)
        let copy = try DatabaseQueue(path: path)
        try queue.backup(to: copy)
        try copy.close()
    }
}
