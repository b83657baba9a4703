import Crypto
import Foundation
import GRDBSQLite

/// What the check of a session that is not in memory asks SQLite, asked in C by a thread that does nothing else.
final class StatementAlone {
    /// What the server reads.
    private static let sql = """
        SELECT sessions.id, sessions.account_id, sessions.device, sessions.created_at,
            sessions.signed_in_at, sessions.last_used_at, sessions.expires_at,
            accounts.id, accounts.name, accounts.email, accounts.email_is_verified,
            accounts.email_is_private_relay, accounts.mail_is_forwarded,
            accounts.mail_forwarding_changed_at, accounts.created_at, accounts.username,
            accounts.email_is_own, apple_identities.issuer, apple_identities.subject,
            apple_identities.client_id, apple_identities.linked_at,
            apple_identities.consented_at, apple_identities.revoked_at
        FROM sessions JOIN accounts ON accounts.id = sessions.account_id
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
        let hashes = (0..<Self.count).map { _ in
            let token = ManyAccounts.token(.random(in: 1...sessionCount))
            return Array(SHA256.hash(data: Data(token.utf8)))
        }
        return try await rate(count: Self.count) { for hash in hashes { try read(hash) } }
    }

    private func read(_ hash: [UInt8]) throws {
        defer { sqlite3_reset(statement) }
        let code = hash.withUnsafeBytes { bytes in
            sqlite3_bind_blob(statement, 1, bytes.baseAddress, Int32(bytes.count), nil)
            return sqlite3_step(statement)
        }
        guard code == SQLITE_ROW else { throw BenchError("the statement alone: \(message)") }
        for column in 0..<sqlite3_column_count(statement) {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: _ = sqlite3_column_int64(statement, column)
            case SQLITE_TEXT: _ = sqlite3_column_text(statement, column)
            default: break
            }
        }
    }
}
