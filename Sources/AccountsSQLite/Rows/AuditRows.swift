import Accounts
import Foundation
import GRDB

/// The columns of an entry of the audit log, read by position.
enum AuditEntryRow {
    static let columns = """
        id, occurred_at, action, actor, administrator, account_id, session_id, address, client,
        detail
        """

    static func read(_ row: Row) -> AuditEntry {
        let account: String? = row[5]
        let session: String? = row[6]
        return AuditEntry(
            id: AuditID(rawValue: row[0]),
            occurredAt: Date(microseconds: row[1]),
            action: row[2],
            actor: row[3],
            administrator: row[4],
            account: account.map(AccountID.init(rawValue:)),
            session: session.map(SessionID.init(rawValue:)),
            address: row[7],
            client: row[8],
            detail: row[9]
        )
    }

    /// The values of the columns.
    static func values(_ entry: AuditEntry) -> StatementArguments {
        [
            entry.id.rawValue, entry.occurredAt.microseconds, entry.action, entry.actor,
            entry.administrator, entry.account?.rawValue, entry.session?.rawValue, entry.address,
            entry.client, entry.detail,
        ]
    }
}
