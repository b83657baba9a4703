import Accounts
import Foundation
import GRDB
import GRDBSQLite

extension SQLiteDatabase {
    package func read<Answer: Sendable>(
        _ query: Query,
        _ value: QueryResult<Answer>
    ) async throws(AccountStoreError) -> Answer {
        do {
            return try await reader.read { try value.value(in: $0.results(to: query)) }
        } catch {
            throw AccountStoreError(error)
        }
    }

    package func decide<Answer: Sendable>(
        _ query: Query,
        _ decision: QueryResult<Decision<Answer>>
    ) async throws(AccountStoreError) -> Answer {
        try await writer.write { database in
            let decision = try decision.value(in: database.results(to: query))
            for statement in try decision.writes.statements() { _ = try database.run(statement) }
            return (decision.answer, decision.writes)
        }
    }

    package func run(
        _ statements: [Accounts.Statement],
        changing writes: @escaping @Sendable ([SQLRows]) throws -> [StoreWrite]
    ) async throws(AccountStoreError) -> [SQLRows] {
        try await writer.write { database in
            let rows = try statements.map { try database.run($0) }
            return (rows, try writes(rows))
        }
    }
}

extension Database {
    fileprivate func results(to query: Query) throws -> Results {
        Results(rows: try query.statements.map { try run($0) })
    }

    /// Runs a statement; each connection compiles it once.
    func run(_ statement: Accounts.Statement) throws -> SQLRows {
        let prepared = try cachedStatement(sql: statement.sql).sqliteStatement
        for code in statement.bind(to: prepared) where code != SQLITE_OK {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), sql: statement.sql)
        }
        // A read that has not ended prevents the log from being overwritten.
        defer { sqlite3_reset(prepared) }
        var rows: [SQLRow] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: rows.append(SQLRow(prepared))
            case SQLITE_DONE:
                return SQLRows(rows, affectedCount: Int(sqlite3_changes(sqliteConnection)))
            case let code:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: lastErrorMessage,
                    sql: statement.sql
                )
            }
        }
    }
}

extension Accounts.Statement {
    /// Binds parameters by name, because SQLite numbers them by their first occurrence; returns the result codes.
    func bind(to prepared: SQLiteStatement) -> [CInt] {
        var codes = [
            Int(sqlite3_bind_parameter_count(prepared)) == values.count ? SQLITE_OK : SQLITE_RANGE
        ]
        for (index, value) in values.enumerated() {
            let position = sqlite3_bind_parameter_index(prepared, "$\(index + 1)")
            codes.append(value.databaseValue.bind(to: prepared, at: position))
        }
        return codes
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .text(let text): text.databaseValue
        case .integer(let number): number.databaseValue
        case .boolean(let value): value.databaseValue
        case .bytes(let bytes): bytes.databaseValue
        }
    }
}

extension SQLRow {
    /// Reads a statement's current row.
    init(_ statement: SQLiteStatement) {
        self.init((0..<sqlite3_column_count(statement)).map { SQLValue(statement, $0) })
    }
}

extension SQLValue {
    fileprivate init(_ statement: SQLiteStatement, _ column: CInt) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_BLOB:
            let bytes = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            self = .bytes(bytes.map { Data(bytes: $0, count: count) } ?? Data())
        case SQLITE_TEXT:
            self = .text(sqlite3_column_text(statement, column).map { String(cString: $0) })
        default: self = .text(nil)
        }
    }
}
