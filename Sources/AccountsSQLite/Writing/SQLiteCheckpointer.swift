import Accounts
import Foundation
import GRDB
import Synchronization

/// Writes SQLite's log back into the file on a connection of its own, beside the writer, so that no sign-in
/// waits for it; and has the writer cut the log where it is long or still has what was deleted.
///
/// Cutting needs the lock that the writer has. Under constant load nobody else would ever get it: that is why
/// the writer itself cuts, between two transactions.
///
/// Source: [Write-Ahead Logging](https://www.sqlite.org/wal.html#checkpointing)
final class SQLiteCheckpointer: Sendable {
    /// How many writes are written back together: a log that is soon begun anew is overwritten in place, which
    /// costs half of what a longer and longer one does.
    static let writeCount = 2_000
    /// How many writes a commit counts as that names none: a batch of the clean-up forgets as many rows.
    private static let unnamedWriteCount = 200
    /// Bytes from which on the log is cut.
    static let maximumLogByteCount = 64 * 1024 * 1024
    /// Milliseconds for which the writer waits at most for those who still read the log that it cuts.
    static let maximumCutWait = 100

    private typealias Waiting = CheckedContinuation<Void, any Error>

    private struct State {
        var writeCount = 0
        var isScheduled = false
        /// Nobody knows what the process before this one left in the log.
        var hasTraces = true
        /// Copies under way: each reads the log as it was, so that it can't be cut.
        var copyCount = 0
        /// Calls of `checkpoint` under way.
        var checkpointCount = 0
        /// Whether the writer is to cut the log.
        var isCutDue = false
        /// Who waits for that.
        var waiting: [Waiting] = []

        /// Two connections can't write back and cut at the same time.
        var mayWriteBack: Bool { !isScheduled && !isCutDue && checkpointCount == 0 }
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
            let isDone = (try? writeBack(database)) ?? false
            let isCutDue = isDone && isLogLong
            state.withLock { state in
                if isCutDue { state.isCutDue = true }
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
            let isDone = try await queue.writeWithoutTransaction(writeBack)
            // Another process that reads can prevent this: then it is tried again.
            if hasTraces || isDone && isLogLong && !isCopying { try await cut() }
        } catch {
            if hasTraces { state.withLock { $0.hasTraces = true } }
            throw error
        }
    }

    /// Cuts the log when that is due; the writer calls it between two transactions.
    func cutIfDue(_ database: Database) {
        let (isDue, waiting) = state.withLock { state in
            defer {
                state.isCutDue = false
                state.waiting = []
            }
            let isWanted = state.copyCount == 0 || !state.waiting.isEmpty
            return (state.isCutDue && isWanted, state.waiting)
        }
        guard isDue else { return }
        let result = Result { try cut(database) }
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

    /// Whether all of the log is in the file then, so that little is left to do when it is cut.
    private func writeBack(_ database: Database) throws -> Bool {
        let counts = try database.checkpoint(.passive)
        return counts.checkpointedFrameCount == counts.walFrameCount
    }

    /// Asks the writer, and waits until it has cut the log.
    private func cut() async throws {
        try await withCheckedThrowingContinuation { (waiting: Waiting) in
            state.withLock { state in
                state.isCutDue = true
                state.waiting.append(waiting)
            }
            // The writer may have nothing to do; while it is busy, it looks by itself.
            writer.asyncWriteWithoutTransaction(cutIfDue)
        }
    }

    /// Who begins to read meanwhile reads the file alone, so that only those are waited for who read already.
    private func cut(_ database: Database) throws {
        let usual = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
        try database.execute(sql: "PRAGMA busy_timeout = \(min(usual, Self.maximumCutWait))")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(usual)") }
        _ = try database.checkpoint(.truncate)
    }

    private var isLogLong: Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: logPath)
        return (attributes?[.size] as? Int).map { $0 > maximumLogByteCount } ?? false
    }
}

extension StoreWrite {
    /// Whether something personal goes, or is replaced.
    fileprivate var erases: Bool {
        switch self {
        case .removeAccount, .forgetName, .updateAccount, .removeSession, .removeSessions,
            .removeRefreshToken, .removeRefreshTokens, .replaceSealedToken, .replaceTask,
            .removeEntries, .putPassword, .removeMailTokens, .removeMail:
            true
        default: false
        }
    }
}
