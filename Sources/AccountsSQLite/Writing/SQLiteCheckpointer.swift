import Accounts
import Foundation
import GRDB
import Synchronization

/// Writes SQLite's log back into the file on a connection of its own, beside the writer, so that no sign-in
/// waits for it; and cuts the log where it still has what was deleted.
///
/// Source: [Write-Ahead Logging](https://www.sqlite.org/wal.html#checkpointing)
final class SQLiteCheckpointer: Sendable {
    /// How many writes are written back together: a log that is soon begun anew is overwritten in place, which
    /// costs half of what a longer and longer one does.
    static let writeCount = 2_000
    /// Bytes from which on the log is cut, which makes the writer wait for a moment.
    static let maximumLogByteCount = 64 * 1024 * 1024

    private struct State {
        var writeCount = 0
        var isScheduled = false
        /// Nobody knows what the process before this one left in the log.
        var hasTraces = true
        /// Copies under way: each reads the log as it was, so that cutting it would wait for their end.
        var copyCount = 0
    }

    private let queue: DatabaseQueue
    private let logPath: String
    private let state = Mutex(State())

    /// - Parameters:
    ///   - queue: a connection to the file that nothing else uses.
    ///   - path: the file.
    init(queue: DatabaseQueue, path: String) {
        self.queue = queue
        logPath = path + "-wal"
    }

    /// Counts what a commit wrote; from time to time, writes back what has gathered.
    ///
    /// - Parameter writes: what was committed; what it deleted must not stay in the log.
    func committed(_ writes: [StoreWrite]) {
        let erases = writes.contains(where: \.erases)
        let isDue = state.withLock { state in
            state.writeCount += max(writes.count, 1)
            if erases { state.hasTraces = true }
            guard state.writeCount >= Self.writeCount, !state.isScheduled else { return false }
            state.writeCount = 0
            state.isScheduled = true
            return true
        }
        guard isDue else { return }
        queue.asyncWriteWithoutTransaction { [self] database in
            // What one call can't write back, the next one does.
            _ = try? database.checkpoint(.passive)
            // Little is left to write back now, so that the writer waits for a moment only.
            if isLogLong, !isCopying { _ = try? database.checkpoint(.truncate) }
            state.withLock { $0.isScheduled = false }
        }
    }

    /// Writes the log back; cuts it when it has traces of what was deleted.
    func checkpoint() async throws {
        let hasTraces = state.withLock { state in
            guard state.copyCount == 0 else { return false }
            defer { state.hasTraces = false }
            return state.hasTraces
        }
        do {
            try await queue.writeWithoutTransaction { [self] database in
                _ = try database.checkpoint(.passive)
                // Another process that reads can prevent this: then it is tried again.
                if hasTraces || isLogLong && !isCopying { _ = try database.checkpoint(.truncate) }
            }
        } catch {
            if hasTraces { state.withLock { $0.hasTraces = true } }
            throw error
        }
    }

    /// Does not cut the log while something reads it for long; the writer would wait for that.
    func leavingLog<Answer>(_ body: () async throws -> Answer) async rethrows -> Answer {
        state.withLock { $0.copyCount += 1 }
        defer { state.withLock { $0.copyCount -= 1 } }
        return try await body()
    }

    private var isCopying: Bool { state.withLock { $0.copyCount > 0 } }

    func close() throws { try queue.close() }

    private var isLogLong: Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: logPath)
        return (attributes?[.size] as? Int).map { $0 > Self.maximumLogByteCount } ?? false
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
