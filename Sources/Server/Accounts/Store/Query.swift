/// Independent statements that are sent together: none needs the result of another one.
package struct Query: Sendable {
    package private(set) var statements: [Statement] = []

    package init() {}

    /// Adds a statement; `read` converts its rows to the fact's value.
    mutating func add<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue],
        _ read: @escaping @Sendable (SQLRows) throws -> Value
    ) -> QueryResult<Value> {
        let index = statements.count
        statements.append(Statement(sql, values))
        return QueryResult { results in try read(results.rows[index]) }
    }

    /// Adds a statement that returns any number of rows.
    mutating func list<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue],
        _ read: @escaping @Sendable (SQLRow) throws -> Value
    ) -> QueryResult<[Value]> {
        add(sql, values) { try $0.rows.map(read) }
    }

    /// Adds a statement that returns at most one row.
    mutating func first<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue],
        _ read: @escaping @Sendable (SQLRow) throws -> Value?
    ) -> QueryResult<Value?> {
        add(sql, values) { try $0.first.flatMap(read) }
    }

    /// Adds a selection of any number of rows.
    mutating func list<Value: Sendable>(
        _ selection: Selection<Value>,
        _ condition: String,
        _ values: [SQLValue] = []
    ) -> QueryResult<[Value]> {
        list(selection.sql + condition, values) { try selection.read($0) }
    }

    /// Adds a selection of at most one row.
    mutating func first<Value: Sendable>(
        _ selection: Selection<Value>,
        _ condition: String,
        _ values: [SQLValue]
    ) -> QueryResult<Value?> {
        first(selection.sql + condition, values) { try selection.read($0) }
    }

    /// Adds a statement that checks whether a row matches the condition.
    mutating func exists(_ condition: String, _ values: [SQLValue]) -> QueryResult<Bool> {
        add("SELECT EXISTS (SELECT 1 FROM \(condition))", values) {
            try $0.first?.boolean(0) ?? false
        }
    }
}

extension Query {
    /// A condition on a time for rows that another condition selects.
    ///
    /// A plain comparison would let PostgreSQL use the time's index while tables are small, and keep that plan.
    static func isLater(_ column: String, than time: String) -> String { "\(column) + 0 > \(time)" }
}

/// A value that is read from the results of a query's statements, without side effects.
package struct QueryResult<Value: Sendable>: Sendable {
    private let read: @Sendable (Results) throws -> Value

    init(_ read: @escaping @Sendable (Results) throws -> Value) {
        self.read = read
    }

    func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> QueryResult<Other>
    {
        QueryResult<Other> { results in try transform(try read(results)) }
    }

    /// Reads the value from the results of the query's statements.
    ///
    /// - Throws: `AccountStoreError` when a row cannot be read.
    package func value(in results: Results) throws(AccountStoreError) -> Value {
        do {
            return try read(results)
        } catch {
            throw AccountStoreError(reading: error)
        }
    }
}

/// The results of a query's statements.
package struct Results: Sendable {
    package let rows: [SQLRows]

    package init(rows: [SQLRows]) {
        self.rows = rows
    }

    subscript<Value>(_ fact: QueryResult<Value>) -> Value {
        get throws { try fact.value(in: self) }
    }

    /// Nil when the fact was not requested.
    subscript<Value>(_ fact: QueryResult<Value?>?) -> Value? {
        get throws { try fact?.value(in: self) }
    }
}
