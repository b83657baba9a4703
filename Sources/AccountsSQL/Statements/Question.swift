import Accounts

/// Statements that are asked together: none of them needs what another one finds.
package struct Question: Sendable {
    package private(set) var statements: [Statement] = []

    package init() {}

    /// Adds a statement.
    ///
    /// - Parameters:
    ///   - sql: the statement.
    ///   - values: its parameters.
    ///   - read: reads what it gives.
    /// - Returns: the statement's answer.
    mutating func ask<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue],
        _ read: @escaping @Sendable (SQLRows) throws -> Value
    ) -> Fact<Value> {
        let index = statements.count
        statements.append(Statement(sql, values))
        return Fact { answers in try read(answers.rows[index]) }
    }

    /// Adds a statement that gives any number of rows.
    mutating func list<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue],
        _ read: @escaping @Sendable (SQLRow) throws -> Value
    ) -> Fact<[Value]> {
        ask(sql, values) { try $0.rows.map(read) }
    }

    /// Adds a statement that gives one row or none.
    mutating func first<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue],
        _ read: @escaping @Sendable (SQLRow) throws -> Value?
    ) -> Fact<Value?> {
        ask(sql, values) { try $0.first.flatMap(read) }
    }

    /// Adds a question that is answered by yes or no.
    mutating func exists(_ condition: String, _ values: [SQLValue]) -> Fact<Bool> {
        ask("SELECT EXISTS (SELECT 1 FROM \(condition))", values) {
            try $0.first?.boolean(0) ?? false
        }
    }
}

extension Question {
    /// A condition for rows that end later, among those that something else leads to.
    ///
    /// It is no plain comparison: PostgreSQL could use an index of all ends where tables are small, and it keeps a plan.
    static func isLater(_ column: String, than time: String) -> String { "\(column) + 0 > \(time)" }
}

/// One answer to a question, read once the statements were carried out; reading it has no effect.
package struct Fact<Value: Sendable>: Sendable {
    private let read: @Sendable (Answers) throws -> Value

    init(_ read: @escaping @Sendable (Answers) throws -> Value) {
        self.read = read
    }

    func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Fact<Other> {
        Fact<Other> { answers in try transform(try read(answers)) }
    }

    /// Reads the answer.
    ///
    /// - Parameter answers: what the question's statements gave.
    /// - Returns: the answer.
    /// - Throws: `AccountStoreError` when a row can't be read.
    package func value(in answers: Answers) throws(AccountStoreError) -> Value {
        do {
            return try read(answers)
        } catch let error as AccountStoreError {
            throw error
        } catch {
            throw AccountStoreError(.failed, hint: "\(type(of: error))")
        }
    }
}

/// What the statements of a question gave.
package struct Answers: Sendable {
    package let rows: [SQLRows]

    package init(rows: [SQLRows]) {
        self.rows = rows
    }

    subscript<Value>(_ fact: Fact<Value>) -> Value {
        get throws { try fact.value(in: self) }
    }

    /// Nil when it was not asked.
    subscript<Value>(_ fact: Fact<Value?>?) -> Value? {
        get throws { try fact?.value(in: self) }
    }
}
