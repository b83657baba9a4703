import Accounts

/// A rule over what a question found; it has no effect of its own.
typealias DecisionRule<Answer: Sendable> =
    @Sendable (Answers) throws(AccountStoreError) -> Decision<Answer>

/// The same where not everything was asked: nothing when that might matter.
typealias GuessRule<Answer: Sendable> =
    @Sendable (Answers) throws(AccountStoreError) -> Decision<Answer>?

/// Statements that are asked together, in one round trip: none of them needs what another one finds.
struct Question: Sendable {
    private(set) var statements: [Statement] = []

    /// Adds a statement.
    ///
    /// - Parameters:
    ///   - sql: the statement.
    ///   - values: its parameters.
    ///   - read: reads what it gives.
    /// - Returns: by what the answer is found.
    mutating func ask<Value: Sendable>(
        _ sql: String,
        _ values: [StatementValue],
        _ read: @escaping @Sendable (Rows) throws(AccountStoreError) -> Value
    ) -> Fact<Value> {
        let index = statements.count
        statements.append(Statement(sql, values))
        return Fact { answers throws(AccountStoreError) in try read(answers.rows[index]) }
    }

    /// Adds a statement whose rows are all read alike.
    ///
    /// The rows of a statement that calls share come in no order, whatever it says.
    mutating func list<Value: Sendable>(
        _ sql: String,
        _ values: [StatementValue],
        _ read: @escaping @Sendable (Row) throws(AccountStoreError) -> Value
    ) -> Fact<[Value]> {
        ask(sql, values) { rows throws(AccountStoreError) in try rows.map(read) }
    }

    /// Adds a statement of which the first row counts, if there is one.
    mutating func first<Value: Sendable>(
        _ sql: String,
        _ values: [StatementValue],
        _ read: @escaping @Sendable (Row) throws(AccountStoreError) -> Value?
    ) -> Fact<Value?> {
        ask(sql, values) { rows throws(AccountStoreError) in
            guard let row = rows.first else { return nil }
            return try read(row)
        }
    }

    /// Adds a question that is answered by yes or no.
    mutating func exists(_ condition: String, _ values: [StatementValue]) -> Fact<Bool> {
        ask("SELECT EXISTS (SELECT 1 FROM \(condition))", values) {
            rows throws(AccountStoreError) in
            try rows.first?.boolean(0) ?? false
        }
    }
}

extension Question {
    /// A condition for rows that end later, among those that something else leads to.
    ///
    /// It is no plain comparison: an index of all ends would do for it, and a plan that was made for a small table could go
    /// through that.
    ///
    /// - Parameters:
    ///   - column: the column with the end.
    ///   - time: the parameter with the time.
    /// - Returns: the condition.
    static func isLater(_ column: String, than time: String) -> String { "\(column) + 0 > \(time)" }
}

/// What a question asks for, and how it is read from the answers.
struct Fact<Value: Sendable>: Sendable {
    let read: @Sendable (Answers) throws(AccountStoreError) -> Value

    init(_ read: @escaping @Sendable (Answers) throws(AccountStoreError) -> Value) {
        self.read = read
    }
}

/// What a question found.
struct Answers: Sendable {
    let rows: [Rows]

    subscript<Value>(_ fact: Fact<Value>) -> Value {
        get throws(AccountStoreError) { try fact.read(self) }
    }

    /// What was not asked for is not known.
    subscript<Value>(_ fact: Fact<Value?>?) -> Value? {
        get throws(AccountStoreError) {
            guard let fact else { return nil }
            return try fact.read(self)
        }
    }
}
