import AppleIdentity
import GRDB
import Synchronization

/// Reads on the thread of who asks, for which an event loop can stand still: a row by its key, which takes a few
/// microseconds when the system has the file in its memory, less than a change of threads.
///
/// Those that have to wait for the disk take much longer. The others go another way for a while then.
final class ImmediateReads: Sendable {
    /// How long a read may take without consequences.
    static let longestRead: Duration = .milliseconds(1)
    /// How many in a row took longer when the disk is slow; a single one may have lost its core to another thread.
    static let slowReadCount = 2
    /// How long there are none then.
    static let pause: Duration = .milliseconds(100)

    private struct State {
        /// When the next read may begin, by the clock's uptime.
        var next = Duration.zero
        /// How many in a row were slow.
        var slowCount = 0
    }

    private let queue: DatabaseQueue
    private let time: TimeSource
    /// Locked while there is a read.
    private let state = Mutex(State())

    /// Opens a connection of its own.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - configuration: how others read it; a lock is not waited for here.
    ///   - time: by which reads are measured.
    /// - Throws: `DatabaseError` when it can't be opened.
    init(path: String, _ configuration: Configuration, time: TimeSource) throws {
        var configuration = configuration
        configuration.busyMode = .immediateError
        queue = try DatabaseQueue(path: path, configuration: configuration)
        self.time = time
    }

    /// Reads by one statement.
    ///
    /// - Parameter work: the read.
    /// - Returns: what it gave; nil when it has to be done another way, because it failed, there is another one, or the
    ///   disk is slow.
    func read<Answer: Sendable>(_ work: (Database) throws -> Answer) -> Answer? {
        state.withLockIfAvailable { state in
            let start = time.uptime
            guard start >= state.next else { return nil }
            let answer = try? queue.unsafeRead(work)
            let end = time.uptime
            state.slowCount = end - start > Self.longestRead ? state.slowCount + 1 : 0
            if state.slowCount >= Self.slowReadCount { state.next = end + Self.pause }
            return answer
        } ?? nil
    }

    func close() throws {
        try queue.close()
    }
}
