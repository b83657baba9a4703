import Accounts
import AppleIdentity
import Foundation
import Synchronization

/// Gets the answer to a read.
protocol KeyedReader: Sendable {
    /// Takes the row of the key, whose first column is of no interest, or nil when there is none.
    func take(_ answer: Result<Row?, AccountStoreError>)

    /// Called after each answer, once all those are taken that came with it.
    func answersEnd()
}

/// Reads of one row by its key, which different callers ask for at the same time, carried out by one statement.
///
/// While a statement is under way, the keys that arrive are collected for the next one, so that under load many of them
/// share one round trip and one execution, and nobody waits when there is none (``ReadQueue``). Each caller gets what was
/// stored when its statement ran, which is after it asked.
///
/// It lives where the connections do, so that a statement costs no change of threads beyond those of its callers; they are
/// answered there, but for those who have waited for too long.
actor KeyedReads {
    private typealias Read = ReadQueue.Read

    /// A task that waits for its answer.
    private struct WaitingTask: KeyedReader {
        let continuation: CheckedContinuation<Result<Row?, AccountStoreError>, Never>

        func take(_ answer: Result<Row?, AccountStoreError>) {
            continuation.resume(returning: answer)
        }

        func answersEnd() {}
    }

    private let sql: String
    private let pool: ConnectionPool
    private let maximumWaitingCount: Int
    private let maximumWait: Duration
    private nonisolated let queue = Mutex(ReadQueue())

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
    ///   - maximumWait: how long a read may wait for a statement; then it is told the same.
    init(
        _ sql: String,
        pool: ConnectionPool,
        maximumWaitingCount: Int = 10_000,
        maximumWait: Duration = ConnectionPool.maximumWait
    ) {
        self.sql = sql
        self.pool = pool
        self.maximumWaitingCount = maximumWaitingCount
        self.maximumWait = maximumWait
    }

    /// How many reads wait for the next statement, for tests and metrics.
    nonisolated var waitingCount: Int { queue.withLock { $0.waiting.count } }

    /// Reads the row of a key.
    ///
    /// - Parameter key: the key.
    /// - Returns: the row, whose first column is of no interest; nil when there is none.
    /// - Throws: `AccountStoreError`.
    nonisolated(nonsending) func row(of key: Data) async throws(AccountStoreError) -> Row? {
        try await withCheckedContinuation { continuation in
            read(key, for: WaitingTask(continuation: continuation))
        }.get()
    }

    /// Reads the row of a key for somebody who waits in no task.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - reader: gets the answer; before this returns when too many wait, on any thread after too long a wait, and else on the connections'
    ///     loop.
    nonisolated func read(_ key: Data, for reader: any KeyedReader) {
        let now = pool.time.uptime
        let read = Read(key: key, start: now, end: now + maximumWait, reader: reader)
        let steps = queue.withLock { queue in
            queue.waiting.count < maximumWaitingCount ? queue.add(read) : nil
        }
        guard let steps else { return Self.refuse([read], "too many reads wait") }
        carryOut(steps)
        if steps.contains(.watch) { watch(until: read.end) }
    }

    private nonisolated func carryOut(_ steps: ReadQueue.Steps) {
        if steps.contains(.begin) { start() }
        if steps.contains(.hold) { hold() }
    }

    private nonisolated func hold() {
        let time = pool.time
        let now = time.uptime
        let end = queue.withLock(\.holdEnd) ?? now
        _ = time.deadlines.add(after: max(end - now, .zero), by: time) { [weak self] in
            guard let self else { return }
            carryOut(queue.withLock { $0.letGo(now: time.uptime) })
        }
    }

    private nonisolated func watch(until end: Duration) {
        let time = pool.time
        _ = time.deadlines.add(after: end - time.uptime, by: time) { [weak self] in
            self?.giveUpLate()
        }
    }

    private nonisolated func giveUpLate() {
        let (late, next) = queue.withLock { $0.giveUpLate(now: pool.time.uptime) }
        Self.refuse(late, Self.lateHint)
        if let next { watch(until: next) }
    }

    private static let lateHint = "all statements that read are under way"

    private static func refuse(_ reads: [Read], _ hint: String) {
        guard !reads.isEmpty else { return }
        let error = AccountStoreError(.unavailable, hint: "PostgreSQL: \(hint)")
        answer(reads) { _ in .failure(error) }
    }

    private static func answer(
        _ reads: [Read],
        _ answer: (Int) -> Result<Row?, AccountStoreError>
    ) {
        for (index, read) in reads.enumerated() { read.reader.take(answer(index)) }
        for read in reads { read.reader.answersEnd() }
    }

    private nonisolated func start() {
        SocketLoop.shared.perform {
            self.assumeIsolated { reads in
                _ = Task(executorPreference: SocketLoop.tasks) { await reads.work() }
            }
        }
    }

    private func work() async {
        var steps = ReadQueue.Steps.begin
        while steps.contains(.begin) {
            let reads = take()
            guard !reads.isEmpty else { return }
            await carryOut(reads)
            steps = queue.withLock { $0.end(keyCount: reads.count, now: pool.time.uptime) }
            carryOut(steps.subtracting(.begin))
        }
    }

    /// Takes the keys of a statement that was begun.
    private func take() -> [Read] {
        let now = pool.time.uptime
        let (late, (reads, steps)) = queue.withLock { queue in
            (queue.removeLate(now: now), queue.take(now: now) as ([Read], ReadQueue.Steps))
        }
        carryOut(steps)
        Self.refuse(late, Self.lateHint)
        return reads
    }

    private func carryOut(_ reads: [Read]) async {
        do throws(AccountStoreError) {
            let statement = Statement(sql, [.array(reads.map { .bytes($0.key) }, .bytes)])
            let rows: Rows
            switch try await pool.read(statement) {
            case .success(let found): rows = found
            case .failure(let failure): throw AccountStoreError(failure)
            }
            let found = try Self.indices(of: rows, count: reads.count)
            Self.answer(reads) { .success(found[$0].map { rows[$0] }) }
        } catch {
            Self.answer(reads) { _ in .failure(error) }
        }
    }

    /// Where the row of each key is.
    private static func indices(
        of rows: Rows,
        count: Int
    ) throws(AccountStoreError) -> [Int?] {
        var indices = [Int?](repeating: nil, count: count)
        for index in 0..<rows.count {
            let owner = try rows.owner(of: index, among: count)
            guard indices[owner] == nil else {
                throw AccountStoreError(.failed, hint: "PostgreSQL: a key has two rows")
            }
            indices[owner] = index
        }
        return indices
    }
}
