import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Looks up a live session and its account, by one statement.
    public func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> SignedInSession? {
        try await connected { database in
            try Self.session(tokenHash: tokenHash, now: now, in: database)
        }
    }

    static func session(
        tokenHash: SecretHash,
        now: Date,
        in database: Database
    ) throws -> SignedInSession? {
        try database.row(sessionQuery, [tokenHash.bytes, now.seconds])
            .map(SignedInSessionRow.read)
    }

    private static let sessionQuery = """
        SELECT \(SignedInSessionRow.columns) FROM \(SignedInSessionRow.tables)
        WHERE sessions.token_hash = ? AND sessions.expires_at > ?
        """

    /// Writes down that a session was used.
    public func recordUse(
        of session: SessionID,
        lastUsedAt: Date,
        expiresAt: Date
    ) async throws(AccountStoreError) {
        try await transaction { database in
            try database.run(
                """
                UPDATE sessions SET last_used_at = ?1, expires_at = ?2
                WHERE id = ?3 AND last_used_at < ?1
                """,
                [lastUsedAt.seconds, expiresAt.seconds, session.rawValue]
            )
        }
    }

    /// Lists an account's live sessions.
    public func sessions(
        of account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> [Session] {
        try await connected { database in
            try database.rows(
                """
                SELECT \(SessionRow.columns) FROM sessions
                WHERE account_id = ? AND expires_at > ?
                ORDER BY last_used_at DESC, created_at DESC, id
                """,
                [account.rawValue, now.seconds]
            )
            .map(SessionRow.read)
        }
    }

    /// Ends one session of an account.
    public func endSession(
        _ session: SessionID,
        of account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> Bool {
        try await transaction { database in
            let ended = try database.rows(
                "DELETE FROM sessions WHERE id = ? AND account_id = ? RETURNING expires_at",
                [session.rawValue, account.rawValue]
            )
            return Self.countLive(ended, now: now) > 0
        }
    }

    /// Ends all sessions of an account but one.
    public func endSessions(
        of account: AccountID,
        except session: SessionID,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await transaction { database in
            let ended = try database.rows(
                "DELETE FROM sessions WHERE account_id = ? AND id <> ? RETURNING expires_at",
                [account.rawValue, session.rawValue]
            )
            return Self.countLive(ended, now: now)
        }
    }

    private static func countLive(_ ended: [Row], now: Date) -> Int {
        ended.count { row in
            let expiresAt: Double = row[0]
            return expiresAt > now.seconds
        }
    }
}
