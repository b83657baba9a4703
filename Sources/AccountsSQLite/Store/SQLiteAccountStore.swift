import Accounts
// Its users see what the store does.
@_exported import AccountsSQL
import AppleIdentity
import CoreMetrics
import Foundation
import GRDB
import Logging

/// Accounts in an SQLite file, owned by one process.
///
/// One connection writes, on a queue of its own and with group commit, and another one reads. Each commit is flushed to disk before it is acknowledged. Live sessions are kept in memory, exactly as they are in
/// the file: that is why a second process is refused.
package struct SQLiteAccountStore: SQLAccountStore {
    /// Seconds a statement waits for another process's lock before the store counts as unavailable.
    package static let busyTimeout: TimeInterval = 2
    /// Kilobytes of the file that each connection keeps in memory at most; tokens are spread over all of it.
    private static let cacheKilobyteCount = 8 * 1024
    /// How many sessions are kept in memory; about half a kilobyte each.
    package static let maximumCachedSessionCount = 20_000
    /// Seconds for which a copy made before an update of the tables is kept: 30 days.
    ///
    /// It has people in it who were deleted later.
    package static let earlierCopyMemory: TimeInterval = 30 * 86_400
    /// What SQLite calls the files beside a database.
    static let companionSuffixes = ["-wal", "-shm", "-journal"]

    package let database: SQLiteDatabase
    let cache: SessionCache
    let checkpointer: SQLiteCheckpointer
    private let lock: FileLock

    /// How many writes wait.
    package var load: StoreLoad { .writer(waitingCount: writer.waitingCount) }

    var writer: SQLiteWriter { database.writer }

    /// The connection that writes: tests make it fail, and look at what is stored.
    package var queue: DatabaseQueue { writer.queue }

    /// Opens a file, or makes it, and brings its tables up to date.
    ///
    /// A file of an earlier version is copied beside itself before its tables change. Such copies are removed
    /// when they are older than ``earlierCopyMemory``.
    ///
    /// - Parameters:
    ///   - path: the file; a new one is readable by its owner alone.
    ///   - busyTimeout: seconds a statement waits for another process's lock.
    ///   - maximumCachedSessionCount: how many sessions are kept in memory.
    ///   - maximumLogByteCount: bytes from which on the log is cut.
    ///   - isForCopying: whether an unfinished copy may be opened.
    ///   - time: the clock.
    ///   - metrics: where the waits of writes are measured.
    ///   - logger: told of the copies that are removed, and of the audit log's entries at level `info`.
    /// - Throws: `AccountStoreError` when it can't be opened, can't be made durable, is open in another
    ///   process, or was written by a newer program.
    package init(
        path: String,
        busyTimeout: TimeInterval = Self.busyTimeout,
        maximumCachedSessionCount: Int = Self.maximumCachedSessionCount,
        maximumLogByteCount: Int = SQLiteCheckpointer.maximumLogByteCount,
        isForCopying: Bool = false,
        time: TimeSource = .live,
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger = Logger(label: "siwa.database")
    ) throws(AccountStoreError) {
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
            let writer = SQLiteWriter(
                queue: queue,
                cache: cache,
                checkpointer: checkpointer,
                time: time,
                metrics: metrics,
                logger: logger
            )
            var reading = configuration
            reading.readonly = true
            database = SQLiteDatabase(
                writer: writer,
                reader: try DatabaseQueue(path: path, configuration: reading)
            )
            EarlierCopies(of: path).removeOld(now: time.now, logger: logger)
        } catch {
            throw AccountStoreError(error)
        }
    }

    /// Whether a process has the file open.
    ///
    /// - Parameter path: the file, by any of its names.
    /// - Returns: true when ``init(path:)`` would be refused for that reason.
    package static func isOpen(path: String) -> Bool {
        let lock = resolved(path) + ".lock"
        guard FileManager.default.fileExists(atPath: lock) else { return false }
        return (try? FileLock(path: lock)) == nil
    }

    /// The name of a file by which all its processes find the same companions.
    ///
    /// - Parameter path: the file, by any of its names.
    /// - Returns: its absolute path without symbolic links.
    package static func resolved(_ path: String) -> String {
        URL(filePath: path).resolvingSymlinksInPath().path
    }

    /// Closes the file; the store can't be used afterwards.
    package func close() throws {
        try database.reader.close()
        try checkpointer.close()
        try queue.close()
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

    /// GRDB sets `synchronous` to NORMAL itself when it turns the journal to WAL, so that FULL is set
    /// after opening, and what is really in force is read back.
    ///
    /// Deleted rows are overwritten: a deleted person's name must not stay in the file's free pages. On
    /// Apple's systems a plain flush leaves data in the drive's cache, which `fullfsync` does not.
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

    /// SQLite gives its companion files the permissions of the main one.
    static func createPrivately(_ path: String) {
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { return }
        // When this fails, opening fails too and says why.
        _ = files.createFile(
            atPath: path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
    }

    /// Refuses a file that is half of another database.
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

extension SQLiteAccountStore {
    /// Looks for a session in memory.
    package func rememberedSession(tokenHash: SecretHash) -> SignedInSession? {
        guard case .found(let cached) = cache.find(tokenHash) else { return nil }
        return cached
    }

    /// Looks a session up, in memory or by one statement.
    package func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> SignedInSession? {
        let found: SignedInSession?
        switch cache.find(tokenHash) {
        case .found(let cached): found = cached
        case .missing(let generation):
            found = try await database.read { $0.signedInSession(tokenHash: tokenHash) }
            if let found { cache.fill(tokenHash, found, generation: generation) }
        }
        return found.flatMap { $0.session.expiresAt > now ? $0 : nil }
    }

    /// Writes the log back, and cuts it when it still has what was deleted.
    package func wipeTraces() async throws(AccountStoreError) {
        do {
            try await checkpointer.checkpoint()
        } catch {
            throw AccountStoreError(error)
        }
    }

    /// Copies the file as it is at the beginning; writes go on.
    package func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport {
        do {
            let backup = try SQLiteBackup(of: queue.path, order)
            return try await checkpointer.leavingLog { try await backup.run() }
        } catch {
            throw AccountStoreError(error)
        }
    }
}
