import Accounts
import Synchronization

/// Short reads that different callers ask for at the same time, sent together.
///
/// While a batch is under way, the reads that arrive are collected for the next one, so that under load many of them share
/// one round trip, and nobody waits when there is none. Each statement sees what was stored when it ran, which is after
/// its caller asked.
///
/// It lives where the connections do, so that a batch costs no change of threads beyond those of its callers.
actor ReadBatches {
    /// How many batches are under way at the same time, each on a connection of its own.
    static let maximumActiveCount = 2
    /// How many reads a batch has.
    static let maximumBatchCount = 64

    private typealias Answer = Result<Rows, AccountStoreError>

    private struct Read: Sendable {
        let statement: Statement
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct State {
        var waiting: [Read] = []
        var activeCount = 0
    }

    private let pool: ConnectionPool
    private let maximumWaitingCount: Int
    private nonisolated let state = Mutex(State())

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        SocketLoop.shared.asUnownedSerialExecutor()
    }

    /// Collects reads for a pool.
    ///
    /// - Parameters:
    ///   - pool: the connections.
    ///   - maximumWaitingCount: how many reads may wait; the next one is told that the store is busy.
    init(pool: ConnectionPool, maximumWaitingCount: Int = 10_000) {
        self.pool = pool
        self.maximumWaitingCount = maximumWaitingCount
    }

    /// How many reads wait for the next batch, for tests.
    nonisolated var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Reads by one statement, which has to be short: what comes after it in its batch waits for it.
    ///
    /// - Parameter statement: the statement.
    /// - Returns: what it gave.
    /// - Throws: `AccountStoreError`; another one's failure is not this one's.
    nonisolated func rows(_ statement: Statement) async throws(AccountStoreError) -> Rows {
        let answer: Answer = await withCheckedContinuation { continuation in
            let read = Read(statement: statement, continuation: continuation)
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
        while let batch = next() { await carryOut(batch) }
    }

    private func next() -> [Read]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.activeCount -= 1
                return nil
            }
            let batch = Array(state.waiting.prefix(Self.maximumBatchCount))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }

    private func carryOut(_ batch: [Read]) async {
        do throws(AccountStoreError) {
            switch try await pool.read(batch.map(\.statement)) {
            case .success(let rows):
                for (read, rows) in zip(batch, rows) {
                    read.continuation.resume(returning: .success(rows))
                }
            case .failure(let failure)
            where batch.count == 1 || failure.isOfConnection || failure.state == nil:
                fail(batch, AccountStoreError(failure))
            case .failure:
                // One statement was refused, and the server passed over those behind it.
                for read in batch { await carryOut([read]) }
            }
        } catch {
            fail(batch, error)
        }
    }

    private func fail(_ batch: [Read], _ error: AccountStoreError) {
        for read in batch { read.continuation.resume(returning: .failure(error)) }
    }
}

extension ConnectionPool {
    /// Sends statements on a connection of the pool.
    nonisolated(nonsending) func exchange(
        _ statements: [Statement]
    ) async throws(AccountStoreError) -> Result<[Rows], PostgreSQLFailure> {
        let connection = try await lend()
        let result = await connection.exchange(statements)
        await giveBack(connection)
        return result
    }

    /// Sends statements that only read: every idle connection is lost when the server has been restarted, and reading
    /// twice does no harm.
    nonisolated(nonsending) func read(
        _ statements: [Statement]
    ) async throws(AccountStoreError) -> Result<[Rows], PostgreSQLFailure> {
        var result = try await exchange(statements)
        for _ in 0...settings.poolSize {
            guard case .failure(let failure) = result, failure.isOfConnection else { break }
            result = try await exchange(statements)
        }
        return result
    }
}
