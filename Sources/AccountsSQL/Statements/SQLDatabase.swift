import Accounts

/// A database that carries statements out in transactions.
package protocol SQLDatabase: Sendable {
    /// Where its SQL differs from other databases'.
    var dialect: SQLDialect { get }

    /// Answers a question, all as it is at one moment.
    ///
    /// - Parameters:
    ///   - question: the statements.
    ///   - fact: the answer that is wanted.
    /// - Returns: the answer.
    /// - Throws: `AccountStoreError`.
    func read<Answer: Sendable>(
        _ question: Question,
        _ fact: Fact<Answer>
    ) async throws(AccountStoreError) -> Answer

    /// Decides by what is stored, carries the decision out in the same transaction, and answers once that is durable.
    ///
    /// The decision is made once more when the transaction begins again.
    ///
    /// - Parameters:
    ///   - question: the statements.
    ///   - decision: what is decided by their answers.
    /// - Returns: the decision's answer.
    /// - Throws: `AccountStoreError`.
    func decide<Answer: Sendable>(
        _ question: Question,
        _ decision: Fact<Decision<Answer>>
    ) async throws(AccountStoreError) -> Answer

    /// Carries out statements that need no facts, all or none.
    ///
    /// - Parameters:
    ///   - statements: the statements.
    ///   - writes: what they changed, of sessions, accounts and secrets, by what they gave.
    /// - Returns: what they gave.
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

    /// Carries out writes that need no facts, all or none.
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
