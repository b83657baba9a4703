import Accounts
import Foundation
import GRDB
import GRDBSQLite

/// A read-only connection that creates no files.
///
/// SQLite creates files for a write-ahead log even when it only reads. Without a log, either no process has the file
/// open or nothing was written since: the connection then opens the file as immutable, and SQLite creates none.
final class ReadOnlyFile {
    private var connection: OpaquePointer?

    /// - Throws: `AccountStoreError` when the file cannot be opened.
    init(path: String) throws(AccountStoreError) {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "?#%;")
        let name = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
        let address = "file:\(name)?" + (hasLog ? "mode=ro" : "immutable=1")
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        guard sqlite3_open_v2(address, &connection, flags, nil) == SQLITE_OK else { throw failure }
        sqlite3_busy_timeout(connection, Int32(SQLiteDatabase.busyTimeout * 1_000))
    }

    /// Runs a statement and returns the first column of each row as a string.
    func texts(_ sql: String) throws(AccountStoreError) -> [String] {
        var texts: [String] = []
        for row in try rows(.command(sql)).rows { texts.append(try row.text(0)) }
        return texts
    }

    /// Runs a statement and returns its rows.
    func rows(_ statement: Accounts.Statement) throws(AccountStoreError) -> SQLRows {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(connection, statement.sql, -1, &prepared, nil) == SQLITE_OK,
            let prepared
        else { throw failure }
        defer { sqlite3_finalize(prepared) }
        guard statement.bind(to: prepared).allSatisfy({ $0 == SQLITE_OK }) else { throw failure }
        var rows: [SQLRow] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: rows.append(SQLRow(prepared))
            case SQLITE_DONE: return SQLRows(rows, affectedCount: 0)
            default: throw failure
            }
        }
    }

    deinit {
        sqlite3_close(connection)
    }

    private var failure: AccountStoreError {
        AccountStoreError(.failed, hint: "SQLite: \(String(cString: sqlite3_errmsg(connection)))")
    }
}
