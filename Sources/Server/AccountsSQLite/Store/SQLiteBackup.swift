import Accounts
import AppleIdentity
import Foundation
import GRDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A backup of a database file that is written while the database is in use, and verified before it gets its name.
///
/// Source: [SQLite Backup API](https://www.sqlite.org/backup.html)
struct SQLiteBackup: Sendable {
    /// How many pages are copied between two reports of the progress.
    private static let pageCountPerStep: CInt = 256

    private let source: DatabaseQueue
    private let order: BackupOrder
    private let checkpointer: SQLiteCheckpointer
    /// The name of an unfinished backup.
    private var partialPath: String { order.path + ".partial" }

    /// - Throws: `AccountStoreError` when the file must not be replaced; SQLite's error when the source cannot be
    ///   opened.
    init(of path: String, _ order: BackupOrder, _ checkpointer: SQLiteCheckpointer) throws {
        self.order = order
        self.checkpointer = checkpointer
        guard order.path.hasPrefix("/") else {
            throw AccountStoreError(.failed, hint: "the backup needs an absolute path")
        }
        try Self.refuseDatabase(order.path, path)
        guard order.replaces || !FileManager.default.fileExists(atPath: order.path) else {
            throw AccountStoreError(.failed, hint: "\(order.path) exists already")
        }
        var configuration = Configuration()
        configuration.label = "backup"
        configuration.readonly = true
        source = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Refuses to overwrite the source under any of its names, SQLite's other files, or a database in use.
    private static func refuseDatabase(
        _ name: String,
        _ source: String
    ) throws(AccountStoreError) {
        let companions = SQLiteDatabase.companionSuffixes
        let isCompanion = (companions + [".lock", ".socket"]).contains {
            name.lowercased().hasSuffix($0)
        }
        // The unfinished backup must not overwrite the source either.
        let isSource = [name, name + ".partial"].contains { isSameFile($0, source) }
        let target = SQLiteDatabase.resolved(name)
        let isInUse = companions.contains {
            FileManager.default.fileExists(atPath: target + $0)
        }
        guard !isCompanion, !isSource, !isInUse else {
            throw AccountStoreError(
                .failed,
                hint: "\(name) belongs to a database; choose another file for the backup"
            )
        }
    }

    /// Whether two paths are the same file; links are followed.
    private static func isSameFile(_ one: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        return stat(one, &first) == 0 && stat(other, &second) == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    func run() async throws -> BackupReport {
        let unfinished = try UnfinishedCopy(path: partialPath)
        // After a hard link, this removes only the temporary name.
        defer { unfinished.remove() }
        try await copy()
        let accountCount = try await check()
        return BackupReport(byteCount: try publish(), accountCount: accountCount)
    }

    /// Copies the file; only for so long the log is not truncated.
    func copy() async throws {
        let copy = try DatabaseQueue(path: partialPath)
        let order = order
        try await checkpointer.leavingLog {
            try await copy.writeWithoutTransaction { [source] destination in
                try source.read { database in
                    // The first read fixes the transaction's snapshot. Without it, each write of others would
                    // restart the backup.
                    _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
                    try database.backup(to: destination, pagesPerStep: Self.pageCountPerStep) {
                        try order.progress(
                            BackupProgress(
                                copiedPageCount: $0.completedPageCount,
                                pageCount: $0.totalPageCount
                            )
                        )
                    }
                }
                // The backup is one file without a write-ahead log.
                try destination.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try source.close()
        }
        try copy.close()
    }

    /// Reopens the backup, verifies all of it, and returns its number of accounts.
    func check() async throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        let copy = try DatabaseQueue(path: partialPath, configuration: configuration)
        let count = try await copy.read { database in
            guard
                try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"],
                try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil,
                try SQLiteSchema.migrator.hasCompletedMigrations(database)
            else {
                throw AccountStoreError(.failed, hint: "the backup is damaged; check the disk")
            }
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM accounts") ?? 0
        }
        try copy.close()
        return count
    }

    /// Flushes the backup to disk, gives it its final name, and returns its size in bytes.
    private func publish() throws -> Int {
        try Self.flush(partialPath)
        let renamed =
            order.replaces
            ? rename(partialPath, order.path)
            // Unlike `rename`, `link` fails when the file was created meanwhile.
            : link(partialPath, order.path)
        guard renamed == 0 else { throw AccountStoreError.ofSystem("can't write \(order.path)") }
        try Self.flush(URL(filePath: order.path).deletingLastPathComponent().path)
        let attributes = try FileManager.default.attributesOfItem(atPath: order.path)
        return attributes[.size] as? Int ?? 0
    }

    private static func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AccountStoreError.ofSystem("can't open \(path)") }
        defer { _ = close(descriptor) }
        guard FileFlush.flush(descriptor) else {
            throw AccountStoreError.ofSystem("can't flush \(path) to disk")
        }
    }
}
