import Accounts
import GRDB

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
