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

/// A copy of a database file, made while others write, and checked before it gets its name.
///
/// Source: [SQLite Backup API](https://www.sqlite.org/backup.html)
struct SQLiteBackup: Sendable {
    /// How many pages are copied between two reports of the progress.
    private static let pageCountPerStep: CInt = 256

    private let source: DatabaseQueue
    private let order: BackupOrder
    /// What is not finished has another name.
    private var partialPath: String { order.path + ".partial" }

    /// - Throws: `AccountStoreError` when the file may not be replaced; SQLite's error when the source can't
    ///   be opened.
    init(of path: String, _ order: BackupOrder) throws {
        self.order = order
        guard order.path.hasPrefix("/") else {
            throw AccountStoreError(.failed, hint: "the copy needs an absolute path")
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

    /// Refuses the copied file by any of its names, the files beside a database, and a database in use.
    private static func refuseDatabase(
        _ name: String,
        _ source: String
    ) throws(AccountStoreError) {
        let companions = SQLiteAccountStore.companionSuffixes
        let isCompanion = (companions + [".lock", ".socket"]).contains {
            name.lowercased().hasSuffix($0)
        }
        // Unfinished, the copy has another name.
        let isSource = [name, name + ".partial"].contains { isSameFile($0, source) }
        let target = SQLiteAccountStore.resolved(name)
        let isInUse = companions.contains {
            FileManager.default.fileExists(atPath: target + $0)
        }
        guard !isCompanion, !isSource, !isInUse else {
            throw AccountStoreError(
                .failed,
                hint: "\(name) belongs to a database; name another file for the copy"
            )
        }
    }

    /// Whether two names lead to one file, also over links.
    private static func isSameFile(_ one: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        return stat(one, &first) == 0 && stat(other, &second) == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    func run() async throws -> BackupReport {
        let unfinished = try UnfinishedCopy(path: partialPath)
        // Also when it has another name besides.
        defer { unfinished.remove() }
        try await copy()
        let accountCount = try await check()
        return BackupReport(byteCount: try publish(), accountCount: accountCount)
    }

    private func copy() async throws {
        let copy = try DatabaseQueue(path: partialPath)
        let order = order
        try await copy.writeWithoutTransaction { [source] destination in
            try source.read { database in
                // From the first read on, the transaction sees the file as it is now: what others write
                // does not make the copy begin again.
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
            // One file, without a log beside it.
            try destination.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try copy.close()
        try source.close()
    }

    /// Opens the copy again and reads all of it.
    ///
    /// - Returns: how many accounts it has.
    private func check() async throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        let copy = try DatabaseQueue(path: partialPath, configuration: configuration)
        let count = try await copy.read { database in
            guard
                try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"],
                try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil,
                try SQLiteSchema.migrator.hasCompletedMigrations(database)
            else {
                throw AccountStoreError(.failed, hint: "the copy is damaged; check the disk")
            }
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM accounts") ?? 0
        }
        try copy.close()
        return count
    }

    /// Gives the copy its name, and has file and name survive a power cut.
    ///
    /// - Returns: the bytes of the file.
    private func publish() throws -> Int {
        try Self.flush(partialPath)
        let renamed =
            order.replaces
            ? rename(partialPath, order.path)
            // Unlike renaming, this fails when somebody has made the file meanwhile.
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
