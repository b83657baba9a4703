import Accounts
import AppleIdentity
import Logging
import Synchronization

/// Transactions on the pool's connections: facts, decision, writes.
///
/// A transaction takes two round trips: `BEGIN` with all facts, then all writes with `COMMIT`. It is serializable, so
/// that a rule decides by facts that nobody changes meanwhile; one that got into another's way begins again.
///
/// Source: [PostgreSQL, serializable isolation](https://www.postgresql.org/docs/current/transaction-iso.html#XACT-SERIALIZABLE)
struct PostgreSQLDatabase: Sendable {
    let pool: ConnectionPool
    let settings: ConnectionSettings
    /// How long calls that share a transaction wait for a row of another one, before they are made one by one.
    static let sharedLockTimeout: Duration = .milliseconds(100)

    private let lane: RetryLane
    private let time: TimeSource
    private let randomUnit: @Sendable () -> Double
    private let logger: Logger

    init(
        pool: ConnectionPool,
        settings: ConnectionSettings,
        time: TimeSource,
        randomUnit: @escaping @Sendable () -> Double,
        logger: Logger
    ) {
        self.pool = pool
        self.settings = settings
        lane = RetryLane(time: time)
        self.time = time
        self.randomUnit = randomUnit
        self.logger = logger
    }

    /// Decides by what is stored, carries the decision out, and answers once that is durable.
    ///
    /// - Parameters:
    ///   - guess: the same with fewer questions, where a row that is there already tells that the guess was wrong; its rule
    ///     answers nothing where only the whole question will do.
    ///   - prepare: collects what has to be known, and gives the rule that decides by it. The rule has no effect of its
    ///     own: it is asked again when the transaction begins again.
    /// - Returns: the rule's answer.
    /// - Throws: `AccountStoreError`.
    func decide<Answer: Sendable>(
        guessing guess: ((inout Question) -> GuessRule<Answer>)? = nil,
        _ prepare: (inout Question) -> DecisionRule<Answer>
    ) async throws(AccountStoreError) -> Answer {
        let whole = Plan(prepare)
        var plan = guess.map { Plan(guess: $0) } ?? whole
        var attempts = makeAttempts()
        defer { attempts.leave() }
        while true {
            let connection = try await pool.lend()
            let attempt = await self.attempt(plan, on: connection)
            await pool.giveBack(connection)
            switch attempt {
            case .done(let answer): return answer
            case .failed(let error), .refused(let error): throw error
            case .again(_, .constraint) where plan.isGuess, .again(_, .guess): plan = whole
            case .again(let error, let reason):
                guard await attempts.goesOn(after: reason) else { throw error }
            }
        }
    }

    /// Decides calls that have nothing in common, and carries the decisions out in one transaction.
    ///
    /// - Parameters:
    ///   - calls: the calls. None may write what another one reads: the facts of all are read before anything is written.
    ///   - prepare: collects what has to be known for one call, and gives the rule that decides by it.
    /// - Returns: the rules' answers, in the order of the calls; nothing for a call that has to be decided by itself.
    /// - Throws: `AccountStoreError` when none was carried out, or nobody knows whether all were.
    func decideTogether<Call, Answer: Sendable>(
        _ calls: [Call],
        guessing prepare: (Call, inout Question) -> GuessRule<Answer>
    ) async throws(AccountStoreError) -> [Answer?] {
        let plan = Plan(calls, guessing: prepare)
        var attempts = makeAttempts()
        var conflictCount = 0
        while true {
            let connection = try await pool.lend()
            let attempt = await self.attempt(plan, on: connection)
            await pool.giveBack(connection)
            switch attempt {
            case .done(let answers): return answers
            // One of them is refused, or in somebody's way: that must neither fail the others nor keep them waiting.
            case .refused, .again(_, .constraint): return calls.map { _ in nil }
            case .again(_, .conflict) where conflictCount + 1 >= Attempts.freeCount:
                return calls.map { _ in nil }
            case .failed(let error): throw error
            case .again(let error, let reason):
                if reason == .conflict { conflictCount += 1 }
                guard await attempts.goesOn(after: reason) else { throw error }
            }
        }
    }

    /// Reads what a question asks for, all as it is at one moment.
    ///
    /// - Parameter prepare: collects what is asked.
    /// - Returns: what is stored.
    /// - Throws: `AccountStoreError`.
    func read<Answer: Sendable>(
        _ prepare: (inout Question) -> Fact<Answer>
    ) async throws(AccountStoreError) -> Answer {
        var question = Question()
        let fact = prepare(&question)
        // One statement sees one moment anyway.
        let isOne = question.statements.count == 1
        let begin = Statement.command("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let limits = settings.limits
        let opening = isOne ? [limits] : [begin, limits]
        let end = isOne ? [] : [Statement.command("COMMIT")]
        switch try await pool.read(opening + question.statements + end) {
        case .success(let rows):
            return try fact.read(Answers(rows: Array(rows.dropFirst(opening.count))))
        case .failure(let failure): throw AccountStoreError(failure)
        }
    }

    /// Runs one statement that changes rows and needs no facts; it is a transaction of its own.
    ///
    /// - Parameters:
    ///   - sql: the statement.
    ///   - values: its parameters.
    /// - Returns: what it gave.
    /// - Throws: `AccountStoreError`.
    @discardableResult
    func run(
        _ sql: String,
        _ values: [StatementValue]
    ) async throws(AccountStoreError) -> Rows {
        try await run([Statement(sql, values)])[0]
    }

    /// Runs statements that change rows and need no facts, all or none.
    @discardableResult
    func run(_ statements: [Statement]) async throws(AccountStoreError) -> [Rows] {
        var attempts = makeAttempts()
        defer { attempts.leave() }
        while true {
            let failure: PostgreSQLFailure
            switch try await pool.exchange([settings.limits] + statements, commits: true) {
            case .success(let rows): return Array(rows.dropFirst())
            case .failure(let refused): failure = refused
            }
            // Statements that are sent together without a BEGIN are committed at their end.
            guard failure.state?.isConflict == true || failure.cause == .notSent,
                await attempts.goesOn(after: failure.cause == .notSent ? .loss : .conflict)
            else { throw AccountStoreError(committing: failure) }
        }
    }

    /// Carries out writes that need no facts, all or none.
    func write(_ writes: [StoreWrite]) async throws(AccountStoreError) {
        try await run(try writes.statements())
        logger.audit(writes)
    }

    private func makeAttempts() -> Attempts {
        Attempts(lane: lane, poolSize: settings.poolSize, time: time, randomUnit: randomUnit)
    }
}

extension PostgreSQLDatabase {
    /// How an attempt at a transaction ended.
    private enum Attempt<Answer: Sendable>: Sendable {
        case done(Answer)
        case failed(AccountStoreError)
        /// The server did not do it, and would not do it if it were asked again.
        case refused(AccountStoreError)
        case again(AccountStoreError, Attempts.Reason)
    }

    /// What is done, and the answer that is given once it is.
    private typealias Outcome<Answer> = (
        answer: Answer, writes: [StoreWrite], statements: [Statement]
    )

    /// What is asked, and how it is decided.
    private struct Plan<Answer: Sendable> {
        let statements: [Statement]
        /// Nothing when only the whole question will do.
        let outcome: @Sendable (Answers) throws(AccountStoreError) -> Outcome<Answer>?
        var isGuess = true
        /// How long it waits for what others have locked; nil for as long as for anything.
        let lockTimeout: Duration?

        init(guess prepare: (inout Question) -> GuessRule<Answer>) {
            var question = Question()
            let rule = prepare(&question)
            outcome = { answers throws(AccountStoreError) in
                try PostgreSQLDatabase.outcome(rule, answers)
            }
            statements = question.statements
            lockTimeout = nil
        }

        init(_ prepare: (inout Question) -> DecisionRule<Answer>) {
            self.init(guess: prepare)
            isGuess = false
        }

        init<Call, One>(
            _ calls: [Call],
            guessing prepare: (Call, inout Question) -> GuessRule<One>
        ) where Answer == [One?] {
            var question = Question()
            let rules = calls.map { prepare($0, &question) }
            let shared = SharedQuestion(question)
            outcome = { sharedAnswers throws(AccountStoreError) in
                let answers = try shared.answers(sharedAnswers)
                // What is wrong with one of them is its own caller's business.
                let outcomes = rules.map { try? PostgreSQLDatabase.outcome($0, answers) }
                let statements = Statement.together(outcomes.map { $0?.statements ?? [] })
                let writes = outcomes.flatMap { $0?.writes ?? [] }
                return (outcomes.map { $0?.answer }, writes, statements)
            }
            statements = shared.statements
            lockTimeout = PostgreSQLDatabase.sharedLockTimeout
        }
    }

    private static func outcome<Answer>(
        _ rule: GuessRule<Answer>,
        _ answers: Answers
    ) throws(AccountStoreError) -> Outcome<Answer>? {
        guard let decision = try rule(answers) else { return nil }
        return (decision.answer, decision.writes, try decision.writes.statements())
    }

    private func attempt<Answer: Sendable>(
        _ plan: Plan<Answer>,
        on connection: PostgreSQLConnection
    ) async -> Attempt<Answer> {
        let opening = [
            .command("BEGIN ISOLATION LEVEL SERIALIZABLE"),
            settings.keyLimits(lockTimeout: plan.lockTimeout),
        ]
        let rows: [Rows]
        switch await connection.exchange(opening + plan.statements) {
        case .success(let found): rows = found
        case .failure(let failure):
            await rollBack(connection)
            return Self.attempt(failure, before: AccountStoreError(failure))
        }
        let answers = Answers(rows: Array(rows.dropFirst(opening.count)))
        do throws(AccountStoreError) {
            if let outcome = try plan.outcome(answers) {
                return await commit(outcome, on: connection)
            }
            await rollBack(connection)
            return .again(AccountStoreError(.failed, hint: "a guess was wrong"), .guess)
        } catch {
            await rollBack(connection)
            return .failed(error)
        }
    }

    private func commit<Answer: Sendable>(
        _ outcome: Outcome<Answer>,
        on connection: PostgreSQLConnection
    ) async -> Attempt<Answer> {
        switch await connection.exchange(outcome.statements + [.command("COMMIT")], commits: true) {
        case .success(let rows):
            // A transaction that has failed answers that it was rolled back, and calls that no error.
            guard rows.last?.tag == "COMMIT" else {
                return .failed(AccountStoreError(.failed, hint: "a transaction was rolled back"))
            }
            logger.audit(outcome.writes)
            return .done(outcome.answer)
        case .failure(let failure):
            await rollBack(connection)
            let error = AccountStoreError(committing: failure)
            guard failure.state != nil, error.kind != .outcomeUnknown else {
                // What never left is known not to have been done.
                return failure.cause == .notSent ? .again(error, .loss) : .failed(error)
            }
            return Self.attempt(failure, before: error)
        }
    }

    private static func attempt<Answer>(
        _ failure: PostgreSQLFailure,
        before error: AccountStoreError
    ) -> Attempt<Answer> {
        if failure.state?.isConstraint == true { return .again(error, .constraint) }
        if failure.state?.isConflict == true { return .again(error, .conflict) }
        if failure.isOfConnection { return .again(error, .loss) }
        let isRefused = error.kind == .failed || failure.state?.isTimeout == true
        return isRefused ? .refused(error) : .failed(error)
    }

    /// What fails is rolled back by the server when the connection is closed, too.
    private func rollBack(_ connection: PostgreSQLConnection) async {
        guard connection.isInTransaction.load(ordering: .acquiring) else { return }
        _ = await connection.exchange([.command("ROLLBACK")])
    }
}
