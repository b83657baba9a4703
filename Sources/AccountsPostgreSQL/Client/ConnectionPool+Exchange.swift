import Accounts

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
