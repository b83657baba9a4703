import Accounts

extension ConnectionPool {
    /// Sends statements on a connection of the pool.
    nonisolated(nonsending) func exchange(
        _ statements: [Statement],
        commits: Bool = false
    ) async throws(AccountStoreError) -> Result<[SQLRows], PostgreSQLFailure> {
        let connection = try await lend()
        let result = await connection.exchange(statements, commits: commits)
        await giveBack(connection)
        return result
    }

    /// Sends statements that only read, and retries them after temporary failures.
    ///
    /// A restart of the server breaks every idle connection. If the database makes every transaction serializable, reads
    /// can conflict too.
    nonisolated(nonsending) func read(
        _ statements: [Statement]
    ) async throws(AccountStoreError) -> Result<[SQLRows], PostgreSQLFailure> {
        var result = try await exchange(statements)
        var retries = Retries(of: self)
        while case .failure(let failure) = result, let reason = failure.retryReason,
            await retries.mayBeginAgain(after: reason)
        {
            result = try await exchange(statements)
        }
        return result
    }
}
