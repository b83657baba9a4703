import Accounts
import AccountsSQL
import GRDB

/// The migrations of a file; one that has been released is never changed.
enum SQLiteSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(SQLSchema.firstMigration) { database in
            for statement in SQLSchema(.sqlite).first { try database.execute(sql: statement) }
        }
        return migrator
    }

    /// Brings a file up to date; one that has tables already is copied first.
    ///
    /// - Parameters:
    ///   - queue: a connection to the file.
    ///   - path: the file.
    ///   - migrator: the migrations.
    /// - Throws: `AccountStoreError` when a newer program has changed the tables, or a copy can't be made.
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
        guard !isNewer else {
            throw AccountStoreError(
                .failed,
                hint: "a newer program has written the database; run that one, or restore a copy"
            )
        }
        if isOld, !applied.isEmpty { try backUp(queue, to: "\(path).before-\(applied.count + 1)") }
        try migrator.migrate(queue)
    }

    private static func backUp(_ queue: DatabaseQueue, to path: String) throws {
        SQLiteAccountStore.createPrivately(path)
        let copy = try DatabaseQueue(path: path)
        try queue.backup(to: copy)
        try copy.close()
    }
}
