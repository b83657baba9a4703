import Accounts
import AppleIdentity
import Foundation
import GRDB
import Synchronization

/// The one connection that writes, on a queue of its own, with group commit.
///
/// A flush to disk costs far more than the writes before it. What queues while one transaction is flushed
/// shares the next one: each job in a savepoint of its own, each answered after the commit. A job that fails
/// takes nothing along.
final class SQLiteWriter: Sendable {
    /// How many jobs may wait; the next one is told that the store is busy.
    static let maximumWaitingCount = 2_000
    /// How many jobs share a transaction.
    static let maximumBatchCount = 128
    /// Seconds after which a job that has not begun is told that the store is busy.
    static let maximumWait: TimeInterval = 5

    private struct Job: Sendable {
        let deadline: Date
        /// Runs in the transaction; gives what changed.
        let run: @Sendable (Database) throws -> [StoreWrite]
        /// Called once, after the commit or instead of it.
        let finish: @Sendable (AccountStoreError?) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var isScheduled = false
        var counts = Counts()
    }

    /// What happened so far, for tests and metrics.
    struct Counts: Sendable {
        /// Jobs that were offered, refused ones included.
        var offers = 0
        /// Transactions that were committed.
        var commits = 0
    }

    let queue: DatabaseQueue
    private let cache: SessionCache
    private let checkpointer: SQLiteCheckpointer
    private let time: TimeSource
    private let state = Mutex(State())

    init(
        queue: DatabaseQueue,
        cache: SessionCache,
        checkpointer: SQLiteCheckpointer,
        time: TimeSource
    ) {
        self.queue = queue
        self.cache = cache
        self.checkpointer = checkpointer
        self.time = time
    }

    /// Decides by what is stored, carries the decision out, and answers once that is durable.
    func decide<Answer: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Decision<Answer>
    ) async throws(AccountStoreError) -> Answer {
        try await write { database in
            let decision = try work(database)
            try database.apply(decision.writes)
            return (decision.answer, decision.writes)
        }
    }

    /// Runs statements in a transaction, and answers once they are durable.
    ///
    /// - Parameter work: gives the answer, and what changed of sessions and accounts.
    /// - Returns: the answer.
    /// - Throws: `AccountStoreError`.
    func write<Answer: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> (Answer, [StoreWrite])
    ) async throws(AccountStoreError) -> Answer {
        let result: Result<Answer, AccountStoreError> = await withCheckedContinuation { waiting in
            let answer = Mutex<Answer?>(nil)
            let job = Job(
                deadline: time.now.addingTimeInterval(Self.maximumWait),
                run: { database in
                    let (given, writes) = try work(database)
                    answer.withLock { $0 = given }
                    return writes
                },
                finish: { error in
                    waiting.resume(returning: Self.result(error, answer.withLock { $0 }))
                }
            )
            enqueue(job)
        }
        return try result.get()
    }

    var counts: Counts { state.withLock { $0.counts } }

    private static func result<Answer>(
        _ error: AccountStoreError?,
        _ answer: Answer?
    ) -> Result<Answer, AccountStoreError> {
        if let error { return .failure(error) }
        guard let answer else {
            return .failure(
                AccountStoreError(.failed, hint: "a transaction ended without an answer")
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
            job.finish(AccountStoreError(.unavailable, hint: "too many writes wait already"))
        }
        if schedules { queue.asyncWriteWithoutTransaction(drain) }
    }

    private func drain(_ database: Database) {
        while let batch = nextBatch() {
            let now = time.now
            for job in batch where job.deadline < now {
                job.finish(AccountStoreError(.unavailable, hint: "the write waited for too long"))
            }
            let jobs = batch.filter { $0.deadline >= now }
            if !jobs.isEmpty { commit(jobs, database) }
        }
    }

    /// Nil when nothing waits; then the next job schedules the queue again.
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

    /// Runs jobs in one transaction and answers them.
    ///
    /// Some errors of SQLite, such as a full disk, end the whole transaction: then each job is run alone, so
    /// that only those fail that can't be carried out.
    private func commit(_ jobs: [Job], _ database: Database) {
        let outcome = Result { try run(jobs, database) }
        switch outcome {
        case .success(let results):
            state.withLock { $0.counts.commits += 1 }
            for result in results { cache.apply(result.writes) }
            checkpointer.committed(erases: results.contains { $0.erases })
            for (job, result) in zip(jobs, results) { job.finish(result.error) }
        case .failure(is TransactionLost) where jobs.count > 1:
            for job in jobs { commit([job], database) }
        case .failure(let error):
            let error = AccountStoreError(error)
            // The file may have what the memory has not followed.
            if error.kind == .outcomeUnknown { cache.forgetAll() }
            for job in jobs { job.finish(error) }
        }
    }

    private func run(_ jobs: [Job], _ database: Database) throws -> [JobResult] {
        var results: [JobResult] = []
        // The write lock is taken at the start, so that no fact changes before the decision is written.
        try database.beginTransaction(.immediate)
        do {
            for job in jobs {
                results.append(try run(job, isAlone: jobs.count == 1, database))
            }
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            throw error
        }
        try commit(database)
        return results
    }

    private func run(_ job: Job, isAlone: Bool, _ database: Database) throws -> JobResult {
        if isAlone { return JobResult(writes: try job.run(database)) }
        try database.run("SAVEPOINT job", [])
        do {
            let writes = try job.run(database)
            try database.run("RELEASE job", [])
            return JobResult(writes: writes)
        } catch {
            guard database.isInsideTransaction else { throw TransactionLost(cause: error) }
            try database.run("ROLLBACK TO job", [])
            try database.run("RELEASE job", [])
            return JobResult(error: AccountStoreError(error))
        }
    }

    /// When the disk fails in the middle of a commit, nobody can tell whether it is there after a restart.
    private func commit(_ database: Database) throws {
        do {
            try database.commit()
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            let isLost = (error as? DatabaseError)?.resultCode == .SQLITE_IOERR
            guard isLost else { throw TransactionLost(cause: error) }
            throw AccountStoreError(
                .outcomeUnknown,
                hint: AccountStoreError(error).hint
            )
        }
    }
}

/// How one job of a batch ended.
private struct JobResult {
    var writes: [StoreWrite] = []
    var error: AccountStoreError?

    /// Whether something personal went, or was replaced.
    var erases: Bool {
        writes.contains {
            switch $0 {
            case .removeAccount, .forgetName, .updateAccount, .removeSession, .removeSessions,
                .removeRefreshToken, .removeRefreshTokens, .replaceSealedToken, .replaceTask,
                .removeEntries, .putPassword, .removeMailTokens, .removeMail:
                true
            default: false
            }
        }
    }
}

/// The whole transaction ended with one job's error.
struct TransactionLost: Error {
    let cause: any Error
}
