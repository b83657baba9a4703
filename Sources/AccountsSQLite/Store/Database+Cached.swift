import GRDB
import GRDBSQLite

extension Database {
    /// Runs a statement that is compiled once for each connection.
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Runs such a statement and reads its first row.
    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }

    /// Runs such a statement on a connection that only reads, and reads its first row where SQLite has it, without a copy.
    ///
    /// GRDB, which keeps watch over transactions, does not hear of it.
    func firstRow<Value>(
        _ sql: String,
        _ arguments: StatementArguments,
        _ read: (StatementRow) throws -> Value?
    ) throws -> Value? {
        let statement = try cachedStatement(sql: sql)
        try statement.setArguments(arguments)
        // Until then it keeps the log from being begun anew.
        defer { sqlite3_reset(statement.sqliteStatement) }
        switch sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: return try read(StatementRow(of: statement.sqliteStatement))
        case SQLITE_DONE: return nil
        case let code:
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: lastErrorMessage,
                sql: sql
            )
        }
    }

    /// Runs such a statement and reads all rows.
    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(try cachedStatement(sql: sql), arguments: arguments)
    }
}
