import Accounts
import Foundation
import GRDB

/// The columns of a session, read by position.
enum SessionRow {
    static let columns = """
        sessions.id, sessions.account_id, sessions.device, sessions.created_at,
        sessions.signed_in_at, sessions.last_used_at, sessions.expires_at
        """

    static let columnCount = 7

    static func read(_ row: Row) -> Session {
        Session(
            id: SessionID(rawValue: row[0]),
            accountID: AccountID(rawValue: row[1]),
            device: row[2],
            createdAt: Date(timeIntervalSince1970: row[3]),
            signedInAt: Date(timeIntervalSince1970: row[4]),
            lastUsedAt: Date(timeIntervalSince1970: row[5]),
            expiresAt: Date(timeIntervalSince1970: row[6])
        )
    }
}

/// The columns of a session and its account, read by position.
enum SignedInSessionRow {
    static let columns = SessionRow.columns + ", " + AccountRow.columns

    static let tables = """
        sessions JOIN accounts ON accounts.id = sessions.account_id \(AccountRow.identityJoin)
        """

    static func read(_ row: Row) -> SignedInSession {
        SignedInSession(
            session: SessionRow.read(row),
            account: AccountRow.read(row, from: SessionRow.columnCount)
        )
    }
}
