import Crypto
import Foundation
import GRDBSQLite

/// What a session check asks SQLite, asked in C by one thread, without a server and a library.
///
/// A check of a session that is not in memory can't be faster than this.
final class StatementAlone {
    private static let sql = """
        SELECT * FROM sessions JOIN accounts ON accounts.id = sessions.account_id
            LEFT JOIN apple_identities ON apple_identities.account_id = accounts.id
        WHERE sessions.token_hash = ?
        """
    /// As much of the file as the server keeps in memory.
    private static let cache = "PRAGMA cache_size = -8192"
    private static let count = 20_000

    private let sessionCount: Int
    private var database: OpaquePointer?
    private var statement: OpaquePointer?

    /// Opens a file that a server has made.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - sessionCount: how many sessions are in it, with the tokens of ``ManyAccounts``.
    /// - Throws: ``BenchError`` when it can't be read.
    init(file: URL, sessionCount: Int) throws {
        self.sessionCount = sessionCount
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(file.path, &database, flags, nil) == SQLITE_OK,
            sqlite3_exec(database, Self.cache, nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, Self.sql, -1, &statement, nil) == SQLITE_OK
        else { throw BenchError("the statement alone: \(message)") }
    }

    deinit {
        sqlite3_finalize(statement)
        sqlite3_close(database)
    }

    private var message: String { String(cString: sqlite3_errmsg(database)) }

    /// Reads sessions at random.
    ///
    /// - Returns: how many a second.
    /// - Throws: ``BenchError`` when one is missing.
    func measure() async throws -> Double {
        try await rate(count: Self.count) {
            for _ in 0..<Self.count { try read(.random(in: 1...sessionCount)) }
        }
    }

    private func read(_ number: Int) throws {
        let hash = Array(SHA256.hash(data: Data(ManyAccounts.token(number).utf8)))
        defer { sqlite3_reset(statement) }
        let code = hash.withUnsafeBytes { bytes in
            sqlite3_bind_blob(statement, 1, bytes.baseAddress, Int32(bytes.count), nil)
            return sqlite3_step(statement)
        }
        guard code == SQLITE_ROW else { throw BenchError("the statement alone: \(message)") }
        for column in 0..<sqlite3_column_count(statement) { sqlite3_column_blob(statement, column) }
    }
}
