import Accounts
import Foundation

extension SQLAccountStore {
    package func record(_ entries: [AuditEntry]) async throws(AccountStoreError) {
        try await database.write(entries.map { .recordAudit($0) })
    }

    package func auditEntries(_ query: AuditQuery) async throws(AccountStoreError) -> [AuditEntry] {
        try await database.read { $0.auditEntries(query) }
    }
}

extension Question {
    /// The audit entry of a change whose response was lost; nil when it was not carried out.
    mutating func auditEntry(of context: AuditContext?) -> Fact<AuditEntry?>? {
        context.map { context in
            first(
                "SELECT \(AuditEntryRow.columns) FROM audit_entries WHERE id = $1",
                [.text(context.id.rawValue)]
            ) { try AuditEntryRow.read($0) }
        }
    }

    mutating func auditEntries(_ query: AuditQuery) -> Fact<[AuditEntry]> {
        let order = query.isLatestFirst ? "DESC" : "ASC"
        let account = query.account == nil ? "" : "AND account_id = $3"
        var values: [SQLValue] = [.text(query.after?.rawValue ?? ""), .count(query.count)]
        if let account = query.account { values.append(.text(account.rawValue)) }
        return list(
            """
            SELECT \(AuditEntryRow.columns) FROM audit_entries
            WHERE id > $1 \(account) ORDER BY id \(order) LIMIT $2
            """,
            values
        ) { try AuditEntryRow.read($0) }
    }
}
