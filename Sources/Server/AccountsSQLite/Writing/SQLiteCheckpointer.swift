import Accounts
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Writes SQLite's write-ahead log back to the file, on its own connection so that sign-ins do not wait for it.
///
/// It also requests that the writer reuse the log from its start when it is long, or truncate it when it is too long or
/// still contains deleted data. Both need the write lock, which no other connection would get under constant load, so
/// the writer does them between two transactions. The checkpointer flushes the file first, so the writer flushes only
/// the few later changes.
///
/// Source: [Write-Ahead Logging](https://www.sqlite.org/wal.html#checkpointing)
final class SQLiteCheckpointer: Sendable {
    /// How many writes are written back together; reusing a short log costs half as much as growing a long one.
    static let writeCount = 2_000
    /// After how many writes the next attempt is made, when a reader prevented the reuse of the log.
    static let retryWriteCount = 200
    /// How many writes a commit without named writes counts as: the number of rows in a clean-up batch.
    private static let unnamedWriteCount = 200
    /// The size of the log file in bytes above which it is truncated.
    static let maximumLogByteCount = 64 * 1024 * 1024
    /// The log is reused when it uses more than one fourth of that size, because overwriting costs less than growing.
    private static let reuseShare = 4
    private static let pageByteCount = 4096
    /// The milliseconds for which the writer waits for readers of the log that it truncates.
    static let maximumCutWait = 100

    private typealias Waiting = CheckedContinuation<Void, any Error>

    /// How the writer ends the log.
    private enum Ending: Hashable {
        /// The next frames overwrite the first ones, unless a reader still needs those.
        case reuse
        /// The log file is truncated.
        case cut
    }

    private struct State {
        var writeCount = 0
        var isScheduled = false
        /// Whether the log may contain deleted data; true at the start, because an earlier process may have left some.
        var hasTraces = true
        /// The number of running backups; each reads the log, which therefore cannot be truncated.
        var copyCount = 0
        /// The number of running `checkpoint` calls.
        var checkpointCount = 0
        /// The next action of the writer on the log.
        var due: Ending?
        /// The calls that wait for the log to be truncated.
        var waiting: [Waiting] = []

        /// Two connections cannot write the log back and truncate it at the same time.
        var mayWriteBack: Bool { !isScheduled && due == nil && checkpointCount == 0 }
    }

    private let queue: DatabaseQueue
    private let writer: DatabaseQueue
    private let logPath: String
    private let maximumLogByteCount: Int
    private let state = Mutex(State())

    /// Creates a checkpointer; nothing else uses the connection `queue`.
    init(queue: DatabaseQueue, writer: DatabaseQueue, path: String, maximumLogByteCount: Int) {
        self.queue = queue
        self.writer = writer
        // SQLite creates the log next to the file itself, not next to a link.
        logPath = SQLiteDatabase.resolved(path) + "-wal"
        self.maximumLogByteCount = maximumLogByteCount
    }

    /// Whether a write-back is scheduled or running, for tests.
    var isWritingBack: Bool { state.withLock(\.isScheduled) }

    /// Counts the writes of a commit, and writes the log back after every ``writeCount`` writes.
    func committed(_ writes: [StoreWrite]) {
        let erases = writes.contains(where: \.erases)
        let isDue = state.withLock { state in
            state.writeCount += writes.isEmpty ? Self.unnamedWriteCount : writes.count
            if erases { state.hasTraces = true }
            guard state.writeCount >= Self.writeCount, state.mayWriteBack else { return false }
            state.writeCount = 0
            state.isScheduled = true
            return true
        }
        guard isDue else { return }
        queue.asyncWriteWithoutTransaction { [self] database in
            // The next call writes back what this one cannot.
            let due = try? writeBack(database)
            state.withLock { state in
                if let due { state.due = due }
                state.isScheduled = false
            }
        }
    }

    /// Writes the log back, and has it truncated when it is too long or contains deleted data.
    func checkpoint() async throws {
        let hasTraces = state.withLock { state in
            state.checkpointCount += 1
            guard state.copyCount == 0 else { return false }
            defer { state.hasTraces = false }
            return state.hasTraces
        }
        defer { state.withLock { $0.checkpointCount -= 1 } }
        do {
            let due = try await queue.writeWithoutTransaction { database in
                defer { if hasTraces { try? database.flushFile() } }
                return try writeBack(database)
            }
            // A reader in another process can prevent this; the next checkpoint tries again.
            if hasTraces || due == .cut && !isCopying { try await cut() }
        } catch {
            if hasTraces { state.withLock { $0.hasTraces = true } }
            throw error
        }
    }

    /// Reuses or truncates the log if that is due; the writer calls it between two transactions.
    func endLogIfDue(_ database: Database) {
        let (due, waiting) = state.withLock { state in
            defer {
                state.due = nil
                state.waiting = []
            }
            let isWanted = state.copyCount == 0 || !state.waiting.isEmpty
            return (isWanted ? state.due : nil, state.waiting)
        }
        guard let due else { return }
        let result = Result { try due == .cut ? cut(database) : reuse(database) }
        for one in waiting { one.resume(with: result) }
    }

    /// Prevents truncation of the log during a long read, for which the writer would have to wait.
    func leavingLog<Answer>(_ body: () async throws -> Answer) async rethrows -> Answer {
        state.withLock { $0.copyCount += 1 }
        defer { state.withLock { $0.copyCount -= 1 } }
        return try await body()
    }

    /// Whether a backup is being copied.
    var isCopying: Bool { state.withLock { $0.copyCount > 0 } }

    func close() throws { try queue.close() }

    /// Writes the log back, and returns the writer's next action; nil when the log is short or not fully written back.
    private func writeBack(_ database: Database) throws -> Ending? {
        let counts: (walFrameCount: Int, checkpointedFrameCount: Int)
        do {
            counts = try database.checkpoint(.passive)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // The writer is reusing or truncating the log.
            return nil
        }
        guard counts.checkpointedFrameCount == counts.walFrameCount else { return nil }
        let isTooLong = logByteCount > maximumLogByteCount
        let usedByteCount = counts.walFrameCount * Self.pageByteCount
        guard isTooLong || usedByteCount > maximumLogByteCount / Self.reuseShare else { return nil }
        try database.flushFile()
        return isTooLong ? .cut : .reuse
    }

    /// Makes the next transaction overwrite the log, without waiting for readers.
    ///
    /// A current reader prevents this. Most reads take less than a millisecond, so the next attempt is made soon and the
    /// log does not grow for another round.
    private func reuse(_ database: Database) throws {
        do {
            try waiting(milliseconds: 0, database) { _ = try database.checkpoint(.restart) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            state.withLock { state in
                state.writeCount = max(state.writeCount, Self.writeCount - Self.retryWriteCount)
            }
        }
    }

    /// Requests that the writer truncate the log, and waits until it has.
    private func cut() async throws {
        try await withCheckedThrowingContinuation { (waiting: Waiting) in
            state.withLock { state in
                state.due = .cut
                state.waiting.append(waiting)
            }
            // An idle writer must be started; a busy one checks after each batch.
            writer.asyncWriteWithoutTransaction(endLogIfDue)
        }
    }

    /// Truncates the log, waiting only for current readers: new ones read only the file.
    private func cut(_ database: Database) throws {
        try waiting(milliseconds: Self.maximumCutWait, database) {
            _ = try database.checkpoint(.truncate)
        }
    }

    /// Limits how long the writer waits for other connections while `body` runs.
    private func waiting(milliseconds: Int, _ database: Database, _ body: () throws -> Void) throws
    {
        let usual = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
        try database.execute(sql: "PRAGMA busy_timeout = \(min(usual, milliseconds))")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(usual)") }
        try body()
    }

    private var logByteCount: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: logPath)
        return attributes?[.size] as? Int ?? 0
    }
}

extension Database {
    /// Flushes the file to disk.
    ///
    /// A checkpoint does so only when it reaches the log's end, which never happens next to a busy writer.
    fileprivate func flushFile() throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let result = sqlite3_file_control(
            sqliteConnection,
            "main",
            SQLITE_FCNTL_FILE_POINTER,
            &file
        )
        guard result == SQLITE_OK, let file, let flush = file.pointee.pMethods?.pointee.xSync else {
            throw DatabaseError(resultCode: ResultCode(rawValue: result))
        }
        let flushed = flush(file, SQLITE_SYNC_FULL)
        guard flushed == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: flushed))
        }
    }
}

extension StoreWrite {
    /// Whether the write deletes or replaces personal data or secrets.
    fileprivate var erases: Bool {
        switch self {
        case .removeAccount, .forgetName, .updateAccount, .removeSession, .removeSessions,
            .removeRefreshToken, .removeRefreshTokens, .replaceSealedToken, .replaceTask,
            .removeEntries, .putPassword, .removeMailTokens, .removeMail, .forgetAudit:
            true
        default: false
        }
    }
}
