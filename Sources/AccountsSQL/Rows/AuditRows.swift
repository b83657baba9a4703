import Accounts
import Foundation

/// The columns of an audit log entry, read by position.
enum AuditEntryRow {
    static let columns = """
        id, occurred_at, action, actor, administrator, account_id, session_id, address, client,
        detail
        """

    static func read(_ row: SQLRow) throws(AccountStoreError) -> AuditEntry {
        AuditEntry(
            id: AuditID(rawValue: try row.text(0)),
            occurredAt: try row.date(1),
            action: try row.text(2),
            actor: try row.text(3),
            administrator: try row.optionalText(4),
            account: try row.optionalText(5).map(AccountID.init(rawValue:)),
            session: try row.optionalText(6).map(SessionID.init(rawValue:)),
            address: try row.optionalText(7),
            client: try row.optionalText(8),
            detail: try row.optionalText(9)
        )
    }
}
