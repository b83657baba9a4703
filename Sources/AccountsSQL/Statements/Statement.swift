import Accounts
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

    /// Inserts one row, or updates the row with the same key.
    static func put(into table: String, key: String, _ columns: Columns) -> Statement {
        let keys = key.split(separator: ", ").map(String.init)
        let changes = columns.map(\.key).filter { !keys.contains($0) }
            .map { "\($0) = excluded.\($0)" }
            .joined(separator: ", ")
        return insert(into: table, columns, onConflict: "(\(key)) DO UPDATE SET \(changes)")
    }

    /// Updates the rows with a key; the key's own columns do not change.
    static func update(_ table: String, _ columns: Columns, where key: Columns) -> Statement {
        let columns = columns.filter { column in !key.contains { $0.key == column.key } }
        let changes = columns.enumerated().map { "\($1.key) = $\($0 + 1)" }
        return Statement(
            "UPDATE \(table) SET \(changes.joined(separator: ", ")) WHERE "
                + condition(key, after: columns.count),
            columns.map(\.value) + key.map(\.value)
        )
    }

    /// Deletes the rows with a key.
    static func delete(from table: String, where key: Columns) -> Statement {
        Statement("DELETE FROM \(table) WHERE \(condition(key))", key.map(\.value))
    }

    /// Returns a list of parameters that starts at `$1`.
    static func marks(_ count: Int) -> String { markLists[count] }

    /// Built once; no table has more columns.
    private static let markLists = (0...24).map { count in
        (1..<count + 1).map { "$\($0)" }.joined(separator: ", ")
    }

    private static func condition(_ key: Columns, after count: Int = 0) -> String {
        key.enumerated().map { "\($1.key) = $\(count + $0 + 1)" }.joined(separator: " AND ")
    }
}
