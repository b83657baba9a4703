import Accounts
import Foundation

/// The columns of an entry of the audit log, read by position.
enum AuditEntryRow {
    static let insertedColumns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("occurred_at", .integer), ("action", .text), ("actor", .text),
        ("administrator", .text), ("account_id", .text), ("session_id", .text),
        ("address", .text), ("client", .text), ("detail", .text),
    ]
    static let columns = insertedColumns.map(\.name).joined(separator: ", ")

    static func read(_ row: Row) throws(AccountStoreError) -> AuditEntry {
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

    /// The values of the columns.
    static func values(_ entry: AuditEntry) -> [StatementValue] {
        [
            .text(entry.id.rawValue), .integer(entry.occurredAt.microseconds),
            .text(entry.action), .text(entry.actor), .text(entry.administrator),
            .text(entry.account?.rawValue), .text(entry.session?.rawValue), .text(entry.address),
            .text(entry.client), .text(entry.detail),
        ]
    }
}
