import Accounts

/// Independent statements that are sent together: none needs the result of another one.
package struct Question: Sendable {
    package private(set) var statements: [Statement] = []

    package init() {}

    /// Adds a statement; `read` converts its rows to the fact's value.
    mutating func ask<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue],
        _ read: @escaping @Sendable (SQLRows) throws -> Value
    ) -> Fact<Value> {
        let index = statements.count
        statements.append(Statement(sql, values))
        return Fact { answers in try read(answers.rows[index]) }
    }

    /// Adds a statement that returns any number of rows.
    mutating func list<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue],
        _ read: @escaping @Sendable (SQLRow) throws -> Value
    ) -> Fact<[Value]> {
        ask(sql, values) { try $0.rows.map(read) }
    }

    /// Adds a statement that returns at most one row.
    mutating func first<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue],
        _ read: @escaping @Sendable (SQLRow) throws -> Value?
    ) -> Fact<Value?> {
        ask(sql, values) { try $0.first.flatMap(read) }
    }

    /// Adds a statement that checks whether a row matches the condition.
    mutating func exists(_ condition: String, _ values: [SQLValue]) -> Fact<Bool> {
        ask("SELECT EXISTS (SELECT 1 FROM \(condition))", values) {
            try $0.first?.boolean(0) ?? false
        }
    }
}

extension Question {
    /// A condition on a time for rows that another condition selects.
    ///
    /// A plain comparison would let PostgreSQL use the time's index while tables are small, and keep that plan.
    static func isLater(_ column: String, than time: String) -> String { "\(column) + 0 > \(time)" }
}

/// A value that is read from the results of a question's statements, without side effects.
package struct Fact<Value: Sendable>: Sendable {
    private let read: @Sendable (Answers) throws -> Value

    init(_ read: @escaping @Sendable (Answers) throws -> Value) {
        self.read = read
    }

    func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Fact<Other> {
        Fact<Other> { answers in try transform(try read(answers)) }
    }

    /// Reads the value from the results of the question's statements.
    ///
    /// - Throws: `AccountStoreError` when a row cannot be read.
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

/// The results of a question's statements.
package struct Answers: Sendable {
    package let rows: [SQLRows]

    package init(rows: [SQLRows]) {
        self.rows = rows
    }

    subscript<Value>(_ fact: Fact<Value>) -> Value {
        get throws { try fact.value(in: self) }
    }

    /// Nil when the fact was not requested.
    subscript<Value>(_ fact: Fact<Value?>?) -> Value? {
        get throws { try fact?.value(in: self) }
    }
}
