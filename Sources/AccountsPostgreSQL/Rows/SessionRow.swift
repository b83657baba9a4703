import Accounts
import AppleIdentity
import Foundation

/// The columns of a session, read by position.
enum SessionRow {
    static let columns = """
        sessions.id, sessions.account_id, sessions.device, sessions.created_at,
        sessions.signed_in_at, sessions.last_used_at, sessions.expires_at
        """

    private static let columnCount = 7

    /// The columns of a session and its account.
    static let signedInColumns = columns + ", " + AccountRow.columns

    static let signedInTables = """
        sessions JOIN accounts ON accounts.id = sessions.account_id \(AccountRow.identityJoin)
        """

    static func read(_ row: Row) throws(AccountStoreError) -> Session {
        Session(
            id: SessionID(rawValue: try row.text(0)),
            accountID: AccountID(rawValue: try row.text(1)),
            device: try row.text(2),
            createdAt: try row.date(3),
            signedInAt: try row.date(4),
            lastUsedAt: try row.date(5),
            expiresAt: try row.date(6)
        )
    }

    static func readSignedIn(_ row: Row) throws(AccountStoreError) -> SignedInSession? {
        guard let account = try AccountRow.read(row, from: columnCount) else { return nil }
        return SignedInSession(session: try read(row), account: account)
    }
}
