import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import GRDB
import Logging

/// An SQLite file that one process owns.
///
/// One connection writes on its own queue with group commit, and another one reads. Each commit is flushed to disk
/// before it is acknowledged. A second process is refused because sessions are cached in memory.
package struct SQLiteDatabase: SQLDatabase {
    /// Seconds for which a statement waits for another process's lock before the store is unavailable.
    package static let busyTimeout: TimeInterval = 2
    /// The page cache of each connection in kilobytes, large because lookups by hash touch the whole file.
    private static let cacheKilobyteCount = 8 * 1024
    /// How many sessions are cached, at about half a kilobyte each.
    package static let maximumCachedSessionCount = 20_000
    /// Seconds for which a copy made before a migration is kept (30 days), as it contains users deleted later.
    package static let earlierCopyMemory: TimeInterval = 30 * 86_400
    /// The suffixes of the files that SQLite creates next to a database.
    static let companionSuffixes = ["-wal", "-shm", "-journal"]

    let writer: SQLiteWriter
    let reader: DatabaseQueue
    let cache: SessionCache
    let checkpointer: SQLiteCheckpointer
    private let lock: FileLock

    package var dialect: SQLDialect { .sqlite }

    /// By time, because one connection writes and each commit flushes pages.
    package var identifierOrder: IdentifierOrder { .byTime }

    /// How many writes are waiting.
    package var load: StoreLoad { .writer(waitingCount: writer.waitingCount) }

    /// Opens or creates a file, and migrates its tables unless it must not.
    ///
    /// A file of an earlier version is first copied in the same folder. Such copies are removed when they are older
    /// than ``earlierCopyMemory``.
    ///
    /// - Parameters:
    ///   - path: the file; only its owner can read a new one.
    ///   - busyTimeout: seconds for which a statement waits for another process's lock.
    ///   - maximumCachedSessionCount: how many sessions are cached.
    ///   - maximumLogByteCount: the size in bytes above which the write-ahead log is truncated.
    ///   - isForCopying: whether an unfinished copy may be opened.
    ///   - migrates: whether missing tables are created and older ones migrated; otherwise such a file is refused and
    ///     stays as it is.
    ///   - time: the clock.
    ///   - metrics: records how long writes wait.
    ///   - logger: logs removed copies, and audit log entries at level `info`.
    /// - Throws: `AccountStoreError` when the file cannot be opened, cannot be made durable, is open in another
    ///   process, was migrated by a newer version, or would have to be migrated.
    package init(
        path: String,
        busyTimeout: TimeInterval = Self.busyTimeout,
        maximumCachedSessionCount: Int = Self.maximumCachedSessionCount,
        maximumLogByteCount: Int = SQLiteCheckpointer.maximumLogByteCount,
        isForCopying: Bool = false,
        migrates: Bool = true,
        time: TimeSource = .live,
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger = Logger(label: "siwa.database")
    ) throws(AccountStoreError) {
        if !migrates { try SQLiteSchema.requireCurrentTables(path) }
        // Another name of the same file must find the same lock.
        lock = try FileLock(path: Self.resolved(path) + ".lock")
        cache = SessionCache(maximumCount: maximumCachedSessionCount)
        do {
            Self.createPrivately(path)
            let configuration = Self.configuration(busyTimeout: busyTimeout)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction(Self.secure)
            try SQLiteSchema.bringUpToDate(queue, path: path)
            if !isForCopying { try Self.refuseUnfinishedCopy(queue) }
            let checkpoints = try DatabaseQueue(path: path, configuration: configuration)
            try checkpoints.writeWithoutTransaction(Self.secure)
            checkpointer = SQLiteCheckpointer(
                queue: checkpoints,
                writer: queue,
                path: path,
                maximumLogByteCount: maximumLogByteCount
            )
            writer = SQLiteWriter(
                queue: queue,
                cache: cache,
                checkpointer: checkpointer,
                time: time,
                metrics: metrics,
                logger: logger
            )
            var reading = configuration
            reading.readonly = true
            reader = try DatabaseQueue(path: path, configuration: reading)
            EarlierCopies(of: path).removeOld(now: time.now, logger: logger)
        } catch {
            throw AccountStoreError(error)
        }
    }

    /// Whether a process has the file open.
    ///
    /// - Parameter path: the file; symbolic links are resolved.
    /// - Returns: true when opening the file would fail for that reason.
    package static func isOpen(path: String) -> Bool {
        let lock = resolved(path) + ".lock"
        guard FileManager.default.fileExists(atPath: lock) else { return false }
        return (try? FileLock(path: lock)) == nil
    }

    /// Returns a file's absolute path without symbolic links, so all processes find the same lock and log.
    package static func resolved(_ path: String) -> String {
        URL(filePath: path).resolvingSymlinksInPath().path
    }

    package func close() throws {
        try reader.close()
        try checkpointer.close()
        try writer.queue.close()
        lock.release()
    }

    private static func configuration(busyTimeout: TimeInterval) -> Configuration {
        var configuration = Configuration()
        configuration.label = "accounts"
        configuration.journalMode = .wal
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -\(cacheKilobyteCount)")
        }
        return configuration
    }

    /// Sets and verifies the options for durability and deletion, after GRDB has set `synchronous` to NORMAL for WAL.
    ///
    /// `secure_delete` overwrites deleted rows, because a deleted user's name must not stay in the file's free pages. On
    /// Apple's systems, only `fullfsync` flushes the drive's cache.
    private static func secure(_ database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA fullfsync = ON;
                PRAGMA checkpoint_fullfsync = ON; PRAGMA wal_autocheckpoint = 0;
                """
        )
        let full = 2
        guard
            try Int.fetchOne(database, sql: "PRAGMA synchronous") == full,
            try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal",
            try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") == true
        else {
            throw AccountStoreError(
                .failed,
                hint: "SQLite did not accept synchronous FULL, a write-ahead log or foreign keys"
            )
        }
    }

    /// Creates a file that only its owner can read; SQLite gives its other files the same permissions.
    static func createPrivately(_ path: String) {
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { return }
        // When this fails, opening the file fails too, with the reason.
        _ = files.createFile(
            atPath: path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
    }

    /// Refuses a file that is an unfinished copy of another database.
    private static func refuseUnfinishedCopy(_ queue: DatabaseQueue) throws {
        let isUnfinished = try queue.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT 1 FROM store_copies WHERE finished_at IS NULL"
            ) != nil
        }
        guard !isUnfinished else {
            throw AccountStoreError(.failed, hint: CopyState.unfinishedHint)
        }
    }
}

extension SQLiteDatabase {
    package var sessionMemory: (any SessionMemory)? { cache }

    /// Reads a session from the file, and caches it.
    package func storedSession(
        tokenHash: SecretHash
    ) async throws(AccountStoreError) -> SignedInSession? {
        let generation = cache.generation
        let found = try await read { $0.signedInSession(tokenHash: tokenHash) }
        if let found { cache.fill(tokenHash, found, generation: generation) }
        return found
    }

    /// Writes the log back to the file, and truncates it when it still contains deleted data.
    package func wipeTraces() async throws(AccountStoreError) {
        do {
            try await checkpointer.checkpoint()
        } catch {
            throw AccountStoreError(error)
        }
    }

    /// Backs up the file as it is at the start; writes continue meanwhile.
    package func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport {
        do {
            return try await SQLiteBackup(of: writer.queue.path, order, checkpointer).run()
        } catch {
            throw AccountStoreError(error)
        }
    }

    /// Does nothing, because SQLite plans without statistics.
    package func updateStatistics(of tables: [String]) async {}
}
