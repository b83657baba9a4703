import Accounts
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Writes SQLite's log back into the file on a connection of its own, beside the writer, so that no sign-in
/// waits for it; and has the writer begin the log anew where it is long, or cut it where it is too long or still has
/// what was deleted.
///
/// Both need the lock that the writer has. Under constant load nobody else would ever get it: that is why the
/// writer itself does so, between two transactions. What the file has been given is flushed before, here, so that
/// the writer flushes only the little that came since.
///
/// Source: [Write-Ahead Logging](https://www.sqlite.org/wal.html#checkpointing)
final class SQLiteCheckpointer: Sendable {
    /// How many writes are written back together: a log that is soon begun anew is overwritten in place, which
    /// costs half of what a longer and longer one does.
    static let writeCount = 2_000
    /// How many writes later it is tried again, when somebody who reads kept the log from being begun anew.
    static let retryWriteCount = 200
    /// How many writes a commit counts as that names none: a batch of the clean-up forgets as many rows.
    private static let unnamedWriteCount = 200
    /// Bytes of the log's file from which on it is cut.
    static let maximumLogByteCount = 64 * 1024 * 1024
    /// The log begins anew when so much of that is in use: overwriting costs less than growing.
    private static let reuseShare = 4
    private static let pageByteCount = 4096
    /// Milliseconds for which the writer waits at most for those who still read the log that it cuts.
    static let maximumCutWait = 100

    private typealias Waiting = CheckedContinuation<Void, any Error>

    /// What the writer has to do with the log.
    private enum Ending: Hashable {
        /// Its next frames overwrite the first ones, unless somebody reads those.
        case reuse
        /// Its file is emptied.
        case cut
    }

    private struct State {
        var writeCount = 0
        var isScheduled = false
        /// Nobody knows what the process before this one left in the log.
        var hasTraces = true
        /// Copies under way: each reads the log as it was, so that it can't be cut.
        var copyCount = 0
        /// Calls of `checkpoint` under way.
        var checkpointCount = 0
        /// What the writer is to do.
        var due: Ending?
        /// Who waits for a cut.
        var waiting: [Waiting] = []

        /// Two connections can't write back and cut at the same time.
        var mayWriteBack: Bool { !isScheduled && due == nil && checkpointCount == 0 }
    }

    private let queue: DatabaseQueue
    private let writer: DatabaseQueue
    private let logPath: String
    private let maximumLogByteCount: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - queue: a connection to the file that nothing else uses.
    ///   - writer: the connection that writes.
    ///   - path: the file.
    ///   - maximumLogByteCount: bytes from which on the log is cut.
    init(queue: DatabaseQueue, writer: DatabaseQueue, path: String, maximumLogByteCount: Int) {
        self.queue = queue
        self.writer = writer
        // SQLite puts it beside the file itself, whatever link leads there.
        logPath = SQLiteAccountStore.resolved(path) + "-wal"
        self.maximumLogByteCount = maximumLogByteCount
    }

    /// Whether it is at work beside the writer, for tests.
    var isWritingBack: Bool { state.withLock(\.isScheduled) }

    /// Counts what a commit wrote; from time to time, writes back what has gathered.
    ///
    /// - Parameter writes: what was committed; what it deleted must not stay in the log.
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
            // What one call can't write back, the next one does.
            let due = try? writeBack(database)
            state.withLock { state in
                if let due { state.due = due }
                state.isScheduled = false
            }
        }
    }

    /// Writes the log back; has it cut when it is long or has traces of what was deleted.
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
            // Another process that reads can prevent this: then it is tried again.
            if hasTraces || due == .cut && !isCopying { try await cut() }
        } catch {
            if hasTraces { state.withLock { $0.hasTraces = true } }
            throw error
        }
    }

    /// Begins the log anew or cuts it, when that is due; the writer calls it between two transactions.
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

    /// Does not cut the log while something reads it for long; the writer would wait for that.
    func leavingLog<Answer>(_ body: () async throws -> Answer) async rethrows -> Answer {
        state.withLock { $0.copyCount += 1 }
        defer { state.withLock { $0.copyCount -= 1 } }
        return try await body()
    }

    private var isCopying: Bool { state.withLock { $0.copyCount > 0 } }

    func close() throws { try queue.close() }

    /// What the writer has to do then; nothing when the log is short, or somebody still reads it.
    private func writeBack(_ database: Database) throws -> Ending? {
        let counts: (walFrameCount: Int, checkpointedFrameCount: Int)
        do {
            counts = try database.checkpoint(.passive)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // The writer is ending the log.
            return nil
        }
        guard counts.checkpointedFrameCount == counts.walFrameCount else { return nil }
        let isTooLong = logByteCount > maximumLogByteCount
        let usedByteCount = counts.walFrameCount * Self.pageByteCount
        guard isTooLong || usedByteCount > maximumLogByteCount / Self.reuseShare else { return nil }
        try database.flushFile()
        return isTooLong ? .cut : .reuse
    }

    /// With all of the log in the file, the next transaction overwrites it; nobody is waited for.
    ///
    /// Who reads the log at this moment keeps its frames. Most read for less than a millisecond: one that does must
    /// not let the log grow for another round.
    private func reuse(_ database: Database) throws {
        do {
            try waiting(milliseconds: 0, database) { _ = try database.checkpoint(.restart) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            state.withLock { state in
                state.writeCount = max(state.writeCount, Self.writeCount - Self.retryWriteCount)
            }
        }
    }

    /// Asks the writer, and waits until it has cut the log.
    private func cut() async throws {
        try await withCheckedThrowingContinuation { (waiting: Waiting) in
            state.withLock { state in
                state.due = .cut
                state.waiting.append(waiting)
            }
            // The writer may have nothing to do; while it is busy, it looks by itself.
            writer.asyncWriteWithoutTransaction(endLogIfDue)
        }
    }

    /// Who begins to read meanwhile reads the file alone, so that only those are waited for who read already.
    private func cut(_ database: Database) throws {
        try waiting(milliseconds: Self.maximumCutWait, database) {
            _ = try database.checkpoint(.truncate)
        }
    }

    /// Has the writer wait for others at most so long.
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
    /// Flushes to disk what has been written to the file.
    ///
    /// A checkpoint does so only when it gets to the log's end, which one beside a busy writer never does.
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
    /// Whether something personal goes, or is replaced.
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
