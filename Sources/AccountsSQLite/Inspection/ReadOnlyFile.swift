import Accounts
import Foundation
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
        sqlite3_busy_timeout(connection, Int32(SQLiteAccountStore.busyTimeout * 1_000))
    }

    /// Runs a statement and returns the first column of each row as a string.
    func texts(_ sql: String) throws(AccountStoreError) -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure
        }
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
            case SQLITE_DONE: return texts
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
