import Accounts
import AppleIdentity
import Foundation

/// The columns of a session, read by position.
enum SessionRow {
    static let columns = """
        sessions.id, sessions.account_id, sessions.device, sessions.sign_in_method,
        sessions.created_at, sessions.signed_in_at, sessions.last_used_at, sessions.expires_at
        """

    static let columnCount = 8

    static func read(_ row: SQLRow, from start: Int = 0) throws(AccountStoreError) -> Session {
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
}

/// The columns of a session and its account, read by position.
package enum SignedInSessionRow {
    package static let columns = "\(SessionRow.columns), \(AccountRow.columns)"

    package static let tables = """
        sessions JOIN accounts ON accounts.id = sessions.account_id \(AccountRow.identityJoin)
        """

    package static func read(
        _ row: SQLRow,
        from start: Int = 0
    ) throws(AccountStoreError) -> SignedInSession? {
        let account = try AccountRow.read(row, from: start + SessionRow.columnCount)
        guard let account else { return nil }
        return SignedInSession(session: try SessionRow.read(row, from: start), account: account)
    }
}
