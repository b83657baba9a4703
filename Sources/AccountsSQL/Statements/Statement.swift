import Accounts
import Foundation

/// A parameter of a statement, or the value of a column.
///
/// NULL has a type: PostgreSQL asks for it.
package enum SQLValue: Hashable, Sendable {
    case text(String?)
    case integer(Int64?)
    case boolean(Bool)
    case bytes(Data?)

    /// A count or a limit.
    package static func count(_ count: Int) -> SQLValue { .integer(Int64(count)) }

    /// A time in whole microseconds.
    static func date(_ date: Date?) -> SQLValue { .integer(date?.microseconds) }
}

/// A statement and its parameters, which are named `$1`, `$2` and so on.
package struct Statement: Hashable, Sendable {
    package let sql: String
    package let values: [SQLValue]
    /// Whether a connection prepares it once: not worth it for what has no plan.
    package let isPrepared: Bool

    package init(_ sql: String, _ values: [SQLValue] = [], isPrepared: Bool = true) {
        self.sql = sql
        self.values = values
        self.isPrepared = isPrepared
    }

    /// A statement without plan and parameters, such as `COMMIT`.
    package static func command(_ sql: String) -> Statement { Statement(sql, isPrepared: false) }
}

extension Statement {
    /// Columns and their values.
    typealias Columns = KeyValuePairs<String, SQLValue>

    /// Inserts one row.
    static func insert(
        into table: String,
        _ columns: Columns,
        onConflict conflict: String? = nil
    ) -> Statement {
        let names = columns.map(\.key).joined(separator: ", ")
        let end = conflict.map { " ON CONFLICT \($0)" } ?? ""
        return Statement(
            "INSERT INTO \(table) (\(names)) VALUES (\(marks(columns.count)))\(end)",
            columns.map(\.value)
        )
    }

    /// Inserts one row, or changes the row that has the same key.
    static func put(into table: String, key: String, _ columns: Columns) -> Statement {
        let keys = key.split(separator: ", ").map(String.init)
        let changes = columns.map(\.key).filter { !keys.contains($0) }
            .map { "\($0) = excluded.\($0)" }
            .joined(separator: ", ")
        return insert(into: table, columns, onConflict: "(\(key)) DO UPDATE SET \(changes)")
    }

    /// Changes the rows of a key; columns of the key itself stay as they are.
    static func update(_ table: String, _ columns: Columns, where key: Columns) -> Statement {
        let columns = columns.filter { column in !key.contains { $0.key == column.key } }
        let changes = columns.enumerated().map { "\($1.key) = $\($0 + 1)" }
        return Statement(
            "UPDATE \(table) SET \(changes.joined(separator: ", ")) WHERE "
                + condition(key, after: columns.count),
            columns.map(\.value) + key.map(\.value)
        )
    }

    /// Removes the rows of a key.
    static func delete(from table: String, where key: Columns) -> Statement {
        Statement("DELETE FROM \(table) WHERE \(condition(key))", key.map(\.value))
    }

    /// Parameters from `$1` on.
    static func marks(_ count: Int) -> String { markLists[count] }

    /// Made once: no table has more columns.
    private static let markLists = (0...24).map { count in
        (1..<count + 1).map { "$\($0)" }.joined(separator: ", ")
    }

    private static func condition(_ key: Columns, after count: Int = 0) -> String {
        key.enumerated().map { "\($1.key) = $\(count + $0 + 1)" }.joined(separator: " AND ")
    }
}
