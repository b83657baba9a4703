import Foundation

/// What differs between databases: how statements run in a transaction, and what only one of them can do.
package protocol SQLDatabase: Sendable {
    /// The differences between this database's SQL and that of others.
    var dialect: SQLDialect { get }

    /// The order of new account identifiers that suits the database.
    var identifierOrder: IdentifierOrder { get }

    /// The load of the database; reading it is cheap and does not wait.
    var load: StoreLoad { get }

    /// Runs a query's statements on one snapshot of the database, and reads a value from their results.
    func read<Value: Sendable>(
        _ query: Query,
        _ value: QueryResult<Value>
    ) async throws(AccountStoreError) -> Value

    /// Reads facts and applies the decision based on them in one transaction, and returns once it is durable.
    ///
    /// A transaction that is retried reads and decides again.
    func decide<Answer: Sendable>(
        _ query: Query,
        _ decision: QueryResult<Decision<Answer>>
    ) async throws(AccountStoreError) -> Answer

    /// Runs statements that need no facts, all or none.
    ///
    /// - Parameters:
    ///   - statements: the statements.
    ///   - writes: returns, from their results, the changes they made to sessions, accounts and secrets.
    /// - Returns: the results, one per statement.
    /// - Throws: `AccountStoreError`.
    func run(
        _ statements: [Statement],
        changing writes: @escaping @Sendable ([SQLRows]) throws -> [StoreWrite]
    ) async throws(AccountStoreError) -> [SQLRows]

    /// The sessions in memory; nil when another process may end a session.
    var sessionMemory: (any SessionMemory)? { get }

    /// Reads a session, perhaps expired, and its account.
    func storedSession(tokenHash: SecretHash) async throws(AccountStoreError) -> SignedInSession?

    /// Removes copies of deleted rows, for example from the database's log.
    func wipeTraces() async throws(AccountStoreError)

    /// Backs up a snapshot of the database to one file while other writes continue; leaves no file after an error.
    func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport

    /// Updates what the database knows about the sizes of its tables, after many rows were added to these.
    func updateStatistics(of tables: [String]) async

    /// Closes the database, which cannot be used afterwards.
    func close() throws
}

/// The sessions that a database has in memory.
package protocol SessionMemory: Sendable {
    /// Returns a session, perhaps expired, and its account; nil when it must be read from the database.
    func storedSession(tokenHash: SecretHash) -> SignedInSession?
}

extension SQLDatabase {
    package var sessionMemory: (any SessionMemory)? { nil }

    package func read<Value: Sendable>(
        _ prepare: (inout Query) -> QueryResult<Value>
    ) async throws(AccountStoreError) -> Value {
        var query = Query()
        let value = prepare(&query)
        return try await read(query, value)
    }

    func decide<Answer: Sendable>(
        _ prepare: (inout Query) -> QueryResult<Decision<Answer>>
    ) async throws(AccountStoreError) -> Answer {
        var query = Query()
        let decision = prepare(&query)
        return try await decide(query, decision)
    }

    /// Applies writes that need no facts, all or none.
    func write(_ writes: [StoreWrite]) async throws(AccountStoreError) {
        guard !writes.isEmpty else { return }
        _ = try await run(try writes.statements()) { _ in writes }
    }

    /// Runs one statement that changes neither sessions nor accounts.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue]) async throws(AccountStoreError) -> SQLRows
    {
        try await run([Statement(sql, values)]) { _ in [] }[0]
    }
}
