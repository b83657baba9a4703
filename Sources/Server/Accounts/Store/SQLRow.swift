import Foundation

/// The result of a statement.
package struct SQLRows: Sendable {
    package let rows: [SQLRow]
    /// How many rows the statement changed.
    package let affectedCount: Int
    /// The database's name for the completed command, such as `COMMIT`; empty if it reports none.
    package let command: String

    package init(_ rows: [SQLRow], affectedCount: Int, command: String = "") {
        self.rows = rows
        self.affectedCount = affectedCount
        self.command = command
    }

    package var first: SQLRow? { rows.first }
}

/// One row, whose values are read by position; reading a type other than the column's fails.
package struct SQLRow: Sendable {
    let values: [SQLValue]

    package init(_ values: [SQLValue]) {
        self.values = values
    }

    package func text(_ column: Int) throws(AccountStoreError) -> String {
        try present(optionalText(column), column)
    }

    package func optionalText(_ column: Int) throws(AccountStoreError) -> String? {
        switch values[column] {
        case .text(let text): return text
        case .integer(nil), .bytes(nil): return nil
        default: throw wrongType(column)
        }
    }

    package func integer(_ column: Int) throws(AccountStoreError) -> Int64 {
        try present(optionalInteger(column), column)
    }

    package func optionalInteger(_ column: Int) throws(AccountStoreError) -> Int64? {
        switch values[column] {
        case .integer(let number): return number
        case .text(nil), .bytes(nil): return nil
        default: throw wrongType(column)
        }
    }

    package func count(_ column: Int) throws(AccountStoreError) -> Int {
        Int(try integer(column))
    }

    /// SQLite stores a boolean as a number.
    package func boolean(_ column: Int) throws(AccountStoreError) -> Bool {
        if case .boolean(let value) = values[column] { return value }
        return try integer(column) != 0
    }

    package func optionalBytes(_ column: Int) throws(AccountStoreError) -> Data? {
        switch values[column] {
        case .bytes(let bytes): return bytes
        case .text(nil), .integer(nil): return nil
        default: throw wrongType(column)
        }
    }

    package func hash(_ column: Int) throws(AccountStoreError) -> SecretHash {
        try present(optionalHash(column), column)
    }

    func optionalHash(_ column: Int) throws(AccountStoreError) -> SecretHash? {
        try optionalBytes(column).map { SecretHash(bytes: $0) }
    }

    func date(_ column: Int) throws(AccountStoreError) -> Date {
        Date(microseconds: try integer(column))
    }

    func optionalDate(_ column: Int) throws(AccountStoreError) -> Date? {
        try optionalInteger(column).map(Date.init(microseconds:))
    }

    private func present<Value>(
        _ value: Value?,
        _ column: Int
    ) throws(AccountStoreError) -> Value {
        guard let value else {
            throw AccountStoreError(.failed, hint: "column \(column) of a query is NULL")
        }
        return value
    }

    private func wrongType(_ column: Int) -> AccountStoreError {
        AccountStoreError(.failed, hint: "column \(column) of a query has an unexpected type")
    }
}
