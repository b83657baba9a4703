import Accounts
import AppleIdentity
import Foundation

/// The columns of a session, read by position.
enum SessionRow {
    static let columns = """
        sessions.id, sessions.account_id, sessions.device, sessions.sign_in_method,
        sessions.created_at, sessions.signed_in_at, sessions.last_used_at, sessions.expires_at
        """

    private static let columnCount = 8

    /// Gives the sessions and accounts of an array of token hashes, each behind the position of its hash.
    ///
    /// The array is hidden in a question of its own: a server that knew how long it is would plan anew each time. Each row is
    /// looked up by itself (`LIMIT`): a plan that was made for a small table could join all of it, and a plan is kept. What
    /// belongs to one hash is a question of its own too (`OFFSET`): else the server keeps each account that it finds, in
    /// case another hash leads to it.
    static let signedInByTokenHashes = """
        SELECT wanted.position, answer.*
        FROM unnest((SELECT $1::bytea[])) WITH ORDINALITY AS wanted(token_hash, position)
        CROSS JOIN LATERAL (
            SELECT \(columns), \(AccountRow.columns) FROM sessions
            CROSS JOIN LATERAL (SELECT * FROM accounts WHERE id = sessions.account_id LIMIT 1)
                AS accounts
            LEFT JOIN LATERAL
                (SELECT * FROM apple_identities WHERE account_id = accounts.id LIMIT 1)
                AS apple_identities ON true
            WHERE sessions.token_hash = wanted.token_hash OFFSET 0
        ) AS answer
        """

    static func read(_ row: Row, from start: Int = 0) throws(AccountStoreError) -> Session {
        Session(
            id: SessionID(rawValue: try row.text(start)),
            accountID: AccountID(rawValue: try row.text(start + 1)),
            device: try row.text(start + 2),
            signInMethod: SignInMethod(rawValue: try row.text(start + 3)),
            createdAt: try row.date(start + 4),
            signedInAt: try row.date(start + 5),
            lastUsedAt: try row.date(start + 6),
            expiresAt: try row.date(start + 7)
        )
    }

    static func readSignedIn(
        _ row: Row,
        from start: Int
    ) throws(AccountStoreError) -> SignedInSession? {
        guard let account = try AccountRow.read(row, from: start + columnCount) else { return nil }
        return SignedInSession(session: try read(row, from: start), account: account)
    }
}
