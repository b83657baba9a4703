import Foundation

/// A parameter of a statement, or the value of a column.
///
/// NULL has a type because PostgreSQL requires one.
package enum SQLValue: Hashable, Sendable {
    case text(String?)
    case integer(Int64?)
    case boolean(Bool)
    case bytes(Data?)

    /// A count or a limit.
    package static func count(_ count: Int) -> SQLValue { .integer(Int64(count)) }

    /// NULL in a column of a type.
    static func null(_ kind: StoreColumn.Kind) -> SQLValue {
        switch kind {
        case .text, .boolean: .text(nil)
        case .integer: .integer(nil)
        case .bytes: .bytes(nil)
        }
    }

    var isNull: Bool {
        switch self {
        case .text(nil), .integer(nil), .bytes(nil): true
        default: false
        }
    }

    /// A time, in whole microseconds since 1970.
    static func date(_ date: Date?) -> SQLValue { .integer(date?.microseconds) }
}

/// A statement and the values of its parameters `$1`, `$2` and so on.
package struct Statement: Hashable, Sendable {
    package let sql: String
    package let values: [SQLValue]
    /// Whether each connection prepares the statement once; false for commands without a plan.
    package let isPrepared: Bool

    package init(_ sql: String, _ values: [SQLValue] = [], isPrepared: Bool = true) {
        self.sql = sql
        self.values = values
        self.isPrepared = isPrepared
    }

    /// Returns a statement without a plan or parameters, such as `COMMIT`.
    package static func command(_ sql: String) -> Statement { Statement(sql, isPrepared: false) }
}
