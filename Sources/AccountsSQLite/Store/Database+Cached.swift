import GRDB

extension Database {
    /// Runs a statement that is compiled once for each connection.
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Runs such a statement and reads its first row.
    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }

    /// Runs such a statement and reads its first row where SQLite has it, without a copy.
    func firstRow<Value>(
        _ sql: String,
        _ arguments: StatementArguments,
        _ read: (Row) throws -> Value?
    ) throws -> Value? {
        let cursor = try Row.fetchCursor(try cachedStatement(sql: sql), arguments: arguments)
        // The row is the cursor's, and empty once that is gone.
        return try withExtendedLifetime(cursor) { try cursor.next().flatMap(read) }
    }

    /// Runs such a statement and reads all rows.
    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(try cachedStatement(sql: sql), arguments: arguments)
    }
}
