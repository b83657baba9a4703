import Accounts
import AccountsSQL

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

    /// Sends statements that only read, again where that may help: reading twice does no harm.
    ///
    /// Every idle connection is lost when the server has been restarted. Where a database makes every transaction
    /// serializable, one that reads can meet others.
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
