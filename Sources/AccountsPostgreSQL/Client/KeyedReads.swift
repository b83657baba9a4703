import Accounts
import Foundation
import Synchronization

/// Reads of one row by its key, which different callers ask for at the same time, carried out by one statement.
///
/// While a statement is under way, the keys that arrive are collected for the next one, so that under load many of them
/// share one round trip and one execution, and nobody waits when there is none. Each caller gets what was stored
/// when its statement ran, which is after it asked.
///
/// It lives where the connections do, so that a statement costs no change of threads beyond those of its callers.
actor KeyedReads {
    /// How many statements are under way at the same time, each on a connection of its own.
    static let maximumActiveCount = 2
    /// How many keys a statement has.
    static let maximumKeyCount = 64

    private typealias Answer = Result<Row?, AccountStoreError>

    private struct Read: Sendable {
        let key: Data
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct State {
        var waiting: [Read] = []
        var activeCount = 0
    }

    private let sql: String
    private let pool: ConnectionPool
    private let maximumWaitingCount: Int
    private nonisolated let state = Mutex(State())

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        SocketLoop.shared.asUnownedSerialExecutor()
    }

    /// Collects reads for a pool.
    ///
    /// - Parameters:
    ///   - sql: the statement. It takes the keys as an array of bytes, and gives at most one row for each, whose first
    ///     column is the position of its key, from one.
    ///   - pool: the connections.
    ///   - maximumWaitingCount: how many reads may wait; the next one is told that the store is busy.
    init(_ sql: String, pool: ConnectionPool, maximumWaitingCount: Int = 10_000) {
        self.sql = sql
        self.pool = pool
        self.maximumWaitingCount = maximumWaitingCount
    }

    /// How many reads wait for the next statement, for tests.
    nonisolated var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Reads the row of a key.
    ///
    /// - Parameter key: the key.
    /// - Returns: the row, whose first column is of no interest; nil when there is none.
    /// - Throws: `AccountStoreError`.
    nonisolated(nonsending) func row(of key: Data) async throws(AccountStoreError) -> Row? {
        let answer: Answer = await withCheckedContinuation { continuation in
            let read = Read(key: key, continuation: continuation)
            let (isTaken, starts) = state.withLock { add(read, to: &$0) }
            guard isTaken else {
                let hint = "PostgreSQL: too many reads wait"
                return continuation.resume(returning: .failure(.init(.unavailable, hint: hint)))
            }
            if starts { SocketLoop.shared.perform { self.assumeIsolated { $0.start() } } }
        }
        return try answer.get()
    }

    private nonisolated func add(_ read: Read, to state: inout State) -> (
        isTaken: Bool, starts: Bool
    ) {
        guard state.waiting.count < maximumWaitingCount else { return (false, false) }
        state.waiting.append(read)
        guard state.activeCount < Self.maximumActiveCount else { return (true, false) }
        state.activeCount += 1
        return (true, true)
    }

    private func start() {
        Task { await work() }
    }

    private func work() async {
        while let reads = next() { await carryOut(reads) }
    }

    private func next() -> [Read]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.activeCount -= 1
                return nil
            }
            let reads = Array(state.waiting.prefix(Self.maximumKeyCount))
            state.waiting.removeFirst(reads.count)
            return reads
        }
    }

    private func carryOut(_ reads: [Read]) async {
        do throws(AccountStoreError) {
            let statement = Statement(sql, [.byteArrays(reads.map(\.key))])
            let rows: Rows
            switch try await pool.read([pool.settings.limits, statement]) {
            case .success(let results): rows = results[1]
            case .failure(let failure): throw AccountStoreError(failure)
            }
            let found = try Self.indices(of: rows, count: reads.count)
            for (read, index) in zip(reads, found) {
                read.continuation.resume(returning: .success(index.map { rows[$0] }))
            }
        } catch {
            for read in reads { read.continuation.resume(returning: .failure(error)) }
        }
    }

    /// Where the row of each key is.
    private static func indices(
        of rows: Rows,
        count: Int
    ) throws(AccountStoreError) -> [Int?] {
        var indices = [Int?](repeating: nil, count: count)
        for index in 0..<rows.count {
            let position = try rows[index].count(0)
            guard (1...count).contains(position) else {
                throw AccountStoreError(.failed, hint: "PostgreSQL: a row belongs to no key")
            }
            indices[position - 1] = index
        }
        return indices
    }
}
