import Accounts

extension ConnectionPool {
    /// Sends statements on a connection of the pool.
    nonisolated(nonsending) func exchange(
        _ statements: [Statement],
        commits: Bool = false
    ) async throws(AccountStoreError) -> Result<[Rows], PostgreSQLFailure> {
        try await exchange { await $0.exchange(statements, commits: commits) }
    }

    private nonisolated(nonsending) func exchange<Answer>(
        _ body: (PostgreSQLConnection) async -> Result<Answer, PostgreSQLFailure>
    ) async throws(AccountStoreError) -> Result<Answer, PostgreSQLFailure> {
        let connection = try await lend()
        let result = await body(connection)
        await giveBack(connection)
        return result
    }

    /// Sends a statement that only reads, within the server's limits, again where that may help.
    nonisolated(nonsending) func read(
        _ statement: Statement
    ) async throws(AccountStoreError) -> Result<Rows, PostgreSQLFailure> {
        try await read { await $0.exchangeWithinLimits(statement) }
    }

    /// Sends statements that only read, again where that may help: reading twice does no harm.
    ///
    /// Every idle connection is lost when the server has been restarted. Where a database makes every transaction
    /// serializable, one that reads can meet others.
    nonisolated(nonsending) func read(
        _ statements: [Statement]
    ) async throws(AccountStoreError) -> Result<[Rows], PostgreSQLFailure> {
        try await read { await $0.exchange(statements) }
    }

    private nonisolated(nonsending) func read<Answer>(
        _ body: (PostgreSQLConnection) async -> Result<Answer, PostgreSQLFailure>
    ) async throws(AccountStoreError) -> Result<Answer, PostgreSQLFailure> {
        var result = try await exchange(body)
        var lossCount = 0
        var retries: Retries?
        while case .failure(let failure) = result {
            if failure.isOfConnection {
                lossCount += 1
                guard lossCount <= settings.poolSize + 1 else { break }
            } else {
                var pauses = retries ?? Retries(time: time, randomUnit: randomUnit)
                guard failure.state?.isConflict == true, await pauses.pause() else { break }
                retries = pauses
            }
            result = try await exchange(body)
        }
        return result
    }
}
