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

    func value<Value: StoredValue>(_ column: Int) throws(AccountStoreError) -> Value {
        guard let value = Value(stored: values[column]) else {
            throw AccountStoreError(.failed, hint: "column \(column) of a query has another type")
        }
        return value
    }

    package func text(_ column: Int) throws(AccountStoreError) -> String { try value(column) }

    package func optionalText(_ column: Int) throws(AccountStoreError) -> String? {
        try value(column)
    }

    package func count(_ column: Int) throws(AccountStoreError) -> Int { try value(column) }

    package func boolean(_ column: Int) throws(AccountStoreError) -> Bool { try value(column) }

    func date(_ column: Int) throws(AccountStoreError) -> Date { try value(column) }

    func optionalDate(_ column: Int) throws(AccountStoreError) -> Date? { try value(column) }
}
