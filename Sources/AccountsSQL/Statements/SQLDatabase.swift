import Accounts

/// A database that runs statements in transactions.
package protocol SQLDatabase: Sendable {
    /// The differences between this database's SQL and that of others.
    var dialect: SQLDialect { get }

    /// Runs a question's statements on one snapshot of the database, and reads a fact from their results.
    func read<Answer: Sendable>(
        _ question: Question,
        _ fact: Fact<Answer>
    ) async throws(AccountStoreError) -> Answer

    /// Reads facts and applies the decision based on them in one transaction, and returns once it is durable.
    ///
    /// A transaction that is retried reads and decides again.
    func decide<Answer: Sendable>(
        _ question: Question,
        _ decision: Fact<Decision<Answer>>
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
}

extension SQLDatabase {
    package func read<Answer: Sendable>(
        _ prepare: (inout Question) -> Fact<Answer>
    ) async throws(AccountStoreError) -> Answer {
        var question = Question()
        let fact = prepare(&question)
        return try await read(question, fact)
    }

    func decide<Answer: Sendable>(
        _ prepare: (inout Question) -> Fact<Decision<Answer>>
    ) async throws(AccountStoreError) -> Answer {
        var question = Question()
        let decision = prepare(&question)
        return try await decide(question, decision)
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
