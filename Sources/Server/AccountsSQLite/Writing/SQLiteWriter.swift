import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import GRDB
import Logging
import Synchronization

/// The only connection that writes, on its own queue with group commit.
///
/// A flush to disk costs far more than the writes before it. Jobs that arrive during one transaction's flush share the
/// next transaction, and finish after its commit. When a job fails, the transaction is rolled back and each job runs
/// alone: failures are so rare that savepoints would cost more.
final class SQLiteWriter: Sendable {
    /// How many jobs may wait; further ones fail as unavailable.
    static let maximumWaitingCount = 2_000
    /// How many jobs share a transaction.
    static let maximumBatchCount = 128
    /// Seconds after which a waiting job fails as unavailable.
    static let maximumWait: TimeInterval = 5

    private struct Job: Sendable {
        let deadline: Date
        /// Runs in the transaction and returns the changes.
        let run: @Sendable (Database) throws -> [StoreWrite]
        /// Called once, after the commit or instead of it.
        let finish: @Sendable (AccountStoreError?) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var isScheduled = false
        var counts = Counts()
    }

    /// Totals since the start, for tests and metrics.
    struct Counts: Sendable {
        /// The submitted jobs, including refused ones.
        var offers = 0
        /// The committed transactions.
        var commits = 0
    }

    let queue: DatabaseQueue
    private let cache: SessionCache
    private let checkpointer: SQLiteCheckpointer
    private let time: TimeSource
    private let logger: Logger
    /// How long jobs wait before their transaction begins.
    private let waits: CoreMetrics.Timer
    private let state = Mutex(State())

    init(
        queue: DatabaseQueue,
        cache: SessionCache,
        checkpointer: SQLiteCheckpointer,
        time: TimeSource,
        metrics: any MetricsFactory,
        logger: Logger
    ) {
        self.queue = queue
        self.cache = cache
        self.checkpointer = checkpointer
        self.time = time
        self.logger = logger
        waits = CoreMetrics.Timer(label: "siwa_sqlite_write_wait_seconds", factory: metrics)
    }

    /// Runs `work` in a transaction, returns its result once it is durable, and logs its audit log entries.
    func write<Answer: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> (Answer, [StoreWrite])
    ) async throws(AccountStoreError) -> Answer {
        typealias Given = (answer: Answer, writes: [StoreWrite])
        let result: Result<Given, AccountStoreError> = await withCheckedContinuation { waiting in
            let answer = Mutex<Given?>(nil)
            let job = Job(
                deadline: time.now.addingTimeInterval(Self.maximumWait),
                run: { database in
                    let given = try work(database)
                    answer.withLock { $0 = given }
                    return given.1
                },
                finish: { error in
                    waiting.resume(returning: Self.result(error, answer.withLock { $0 }))
                }
            )
            enqueue(job)
        }
        let (answer, writes) = try result.get()
        logger.audit(writes)
        return answer
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// How many jobs are waiting.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private static func result<Answer>(
        _ error: AccountStoreError?,
        _ answer: Answer?
    ) -> Result<Answer, AccountStoreError> {
        if let error { return .failure(error) }
        guard let answer else {
            return .failure(
                AccountStoreError(.failed, hint: "a transaction ended without a result")
            )
        }
        return .success(answer)
    }

    private func enqueue(_ job: Job) {
        let (isTaken, schedules) = state.withLock { state in
            state.counts.offers += 1
            guard state.waiting.count < Self.maximumWaitingCount else { return (false, false) }
            state.waiting.append(job)
            defer { state.isScheduled = true }
            return (true, !state.isScheduled)
        }
        if !isTaken {
            job.finish(AccountStoreError(.unavailable, hint: "too many writes are already waiting"))
        }
        if schedules { queue.asyncWriteWithoutTransaction(drain) }
    }

    private func drain(_ database: Database) {
        while let batch = nextBatch() {
            let now = time.now
            for job in batch {
                waits.recordSeconds(Self.maximumWait - job.deadline.timeIntervalSince(now))
            }
            for job in batch where job.deadline < now {
                job.finish(AccountStoreError(.unavailable, hint: "the write waited too long"))
            }
            let jobs = batch.filter { $0.deadline >= now }
            if !jobs.isEmpty { commit(jobs, database) }
            checkpointer.endLogIfDue(database)
        }
    }

    /// The next jobs; nil when none wait, after which the next job schedules the queue again.
    private func nextBatch() -> [Job]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isScheduled = false
                return nil
            }
            let batch = Array(state.waiting.prefix(Self.maximumBatchCount))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }

    /// Runs jobs in one transaction and finishes them.
    private func commit(_ jobs: [Job], _ database: Database) {
        do {
            // Taking the write lock first ensures that no fact changes before the decision is written.
            try database.beginTransaction(.immediate)
        } catch {
            return finish(jobs, AccountStoreError(error))
        }
        do {
            let writes = try jobs.flatMap { try $0.run(database) }
            try commit(database)
            state.withLock { $0.counts.commits += 1 }
            cache.apply(writes)
            checkpointer.committed(writes)
            finish(jobs, nil)
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            retryOneByOne(jobs, AccountStoreError(error), database)
        }
    }

    /// Runs each job of a failed transaction alone, so only the failing ones fail.
    private func retryOneByOne(_ jobs: [Job], _ error: AccountStoreError, _ database: Database) {
        // The file may contain changes that are missing in the cache.
        if error.kind == .outcomeUnknown { cache.forgetAll() }
        guard jobs.count > 1, error.kind != .outcomeUnknown else { return finish(jobs, error) }
        for job in jobs { commit([job], database) }
    }

    private func finish(_ jobs: [Job], _ error: AccountStoreError?) {
        for job in jobs { job.finish(error) }
    }

    /// Commits; after a disk error, it is unknown whether the commit is present after a restart.
    private func commit(_ database: Database) throws {
        do {
            try database.commit()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
            throw AccountStoreError(.outcomeUnknown, hint: AccountStoreError(error).hint)
        }
    }
}
