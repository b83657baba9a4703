import Accounts
import GRDB

/// A row whose values are read by position.
protocol ColumnValues {
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        at index: Int
    ) throws -> Value
}

extension ColumnValues {
    subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        index: Int
    ) -> Value { get throws { try value(at: index) } }
}

extension Row: ColumnValues {
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        at index: Int
    ) -> Value { self[index] }
}

/// A row where SQLite has it, good until its statement goes on.
///
/// GRDB's own notes the names of all columns for each statement that is begun, which nobody needs who reads by position.
struct StatementRow: ColumnValues {
    private let statement: SQLiteStatement

    /// - Parameter statement: a statement that has come to a row.
    init(of statement: SQLiteStatement) {
        self.statement = statement
    }

    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        at index: Int
    ) throws -> Value {
        guard let value = Value.fromStatement(statement, atUncheckedIndex: CInt(index)) else {
            throw AccountStoreError(.failed, hint: "column \(index) of a row is NULL")
        }
        return value
    }
}
