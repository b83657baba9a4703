import Accounts
import AppleIdentity
import Logging

extension PostgreSQLDatabase {
    package func read<Answer: Sendable>(
        _ query: Query,
        _ value: QueryResult<Answer>
    ) async throws(AccountStoreError) -> Answer {
        // A single statement sees one snapshot without a transaction.
        let isOne = query.statements.count == 1
        let begin = Statement.command("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let limits = pool.settings.limits
        let opening = isOne ? [limits] : [begin, limits]
        let end = isOne ? [] : [Statement.command("COMMIT")]
        switch try await pool.read(opening + query.statements + end) {
        case .success(let rows):
            return try value.value(in: Results(rows: Array(rows.dropFirst(opening.count))))
        case .failure(let failure): throw AccountStoreError(failure)
        }
    }

    package func decide<Answer: Sendable>(
        _ query: Query,
        _ decision: QueryResult<Decision<Answer>>
    ) async throws(AccountStoreError) -> Answer {
        var retries = Retries(of: pool)
        while true {
            let connection = try await pool.lend()
            let attempt = await attempt(query, decision, on: connection)
            await pool.giveBack(connection)
            switch attempt {
            case .done(let answer): return answer
            case .failed(let error, let reason):
                guard let reason, await retries.mayBeginAgain(after: reason) else { throw error }
            }
        }
    }

    /// Runs statements without `BEGIN`, which the server commits together at their end.
    package func run(
        _ statements: [Statement],
        changing writes: @escaping @Sendable ([SQLRows]) throws -> [StoreWrite]
    ) async throws(AccountStoreError) -> [SQLRows] {
        var retries = Retries(of: pool)
        while true {
            switch try await pool.exchange([pool.settings.limits] + statements, commits: true) {
            case .success(let rows):
                let rows = Array(rows.dropFirst())
                logger.audit((try? writes(rows)) ?? [])
                return rows
            case .failure(let failure):
                guard let reason = failure.retryReasonCommitting, reason != .constraint,
                    await retries.mayBeginAgain(after: reason)
                else { throw AccountStoreError(committing: failure) }
            }
        }
    }
}

extension PostgreSQLDatabase {
    /// The result of one attempt at a transaction.
    private enum Attempt<Answer: Sendable> {
        case done(Answer)
        /// The error, and the reason to retry, if any.
        case failed(AccountStoreError, Retries.Reason?)
    }

    private func attempt<Answer>(
        _ query: Query,
        _ decision: QueryResult<Decision<Answer>>,
        on connection: PostgreSQLConnection
    ) async -> Attempt<Answer> {
        let opening = [
            .command("BEGIN ISOLATION LEVEL SERIALIZABLE"), pool.settings.keyLimits,
        ]
        let rows: [SQLRows]
        switch await connection.exchange(opening + query.statements) {
        case .success(let found): rows = found
        case .failure(let failure):
            await rollBack(connection)
            return .failed(AccountStoreError(failure), failure.retryReason)
        }
        do throws(AccountStoreError) {
            let results = Results(rows: Array(rows.dropFirst(opening.count)))
            return try await commit(try decision.value(in: results), on: connection)
        } catch {
            await rollBack(connection)
            return .failed(error, nil)
        }
    }

    private func commit<Answer>(
        _ decision: Decision<Answer>,
        on connection: PostgreSQLConnection
    ) async throws(AccountStoreError) -> Attempt<Answer> {
        let statements = try decision.writes.statements() + [.command("COMMIT")]
        switch await connection.exchange(statements, commits: true) {
        case .success(let rows):
            // For a failed transaction, the server responds to COMMIT with ROLLBACK instead of an error.
            guard rows.last?.command == "COMMIT" else {
                throw AccountStoreError(.failed, hint: "a transaction was rolled back")
            }
            logger.audit(decision.writes)
            return .done(decision.answer)
        case .failure(let failure):
            await rollBack(connection)
            return .failed(AccountStoreError(committing: failure), failure.retryReasonCommitting)
        }
    }

    /// Rolls back an open transaction; the server does so itself when a connection is lost.
    private func rollBack(_ connection: PostgreSQLConnection) async {
        guard connection.state.isInTransaction else { return }
        _ = await connection.exchange([.command("ROLLBACK")])
    }
}
