import Accounts
import Foundation

/// The audit log.
extension PostgreSQLAccountStore {
    /// Writes entries of the audit log that belong to no other change.
    package func record(_ entries: [AuditEntry]) async throws(AccountStoreError) {
        guard !entries.isEmpty else { return }
        try await database.write(entries.map { .recordAudit($0) })
    }

    /// Lists entries of the audit log by their names.
    package func auditEntries(_ query: AuditQuery) async throws(AccountStoreError) -> [AuditEntry] {
        try await database.read { $0.auditEntries(query) }
    }

    /// Forgets old entries of the audit log; by reading alone when there are none.
    package func forgetAuditEntries(
        until limit: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int {
        let ids = try await database.read { question in
            question.list(
                "SELECT id FROM audit_entries WHERE occurred_at <= $1 ORDER BY occurred_at LIMIT $2",
                [.integer(limit.microseconds), .count(maximumCount)]
            ) { row throws(AccountStoreError) in AuditID(rawValue: try row.text(0)) }
        }
        if !ids.isEmpty { try await database.write([.forgetAudit(ids)]) }
        return ids.count
    }
}

extension Question {
    /// By what something is known again that was carried out, and whose answer was lost.
    ///
    /// Entries are written next to each other: who reads where they are is in the way of all who write one. It is asked only
    /// where nothing is left to be carried out.
    mutating func auditEntry(of context: AuditContext?) -> Fact<AuditEntry?>? {
        context.map { context in
            first(
                "SELECT \(AuditEntryRow.columns) FROM audit_entries WHERE id = $1",
                [.text(context.id.rawValue)]
            ) { row throws(AccountStoreError) in try AuditEntryRow.read(row) }
        }
    }

    mutating func auditEntries(_ query: AuditQuery) -> Fact<[AuditEntry]> {
        let order = query.isLatestFirst ? "DESC" : "ASC"
        let account = query.account == nil ? "" : "AND account_id = $3"
        var values: [StatementValue] = [.text(query.after?.rawValue ?? ""), .count(query.count)]
        if let account = query.account { values.append(.text(account.rawValue)) }
        return list(
            """
            SELECT \(AuditEntryRow.columns) FROM audit_entries
            WHERE id > $1 \(account) ORDER BY id \(order) LIMIT $2
            """,
            values
        ) { row throws(AccountStoreError) in try AuditEntryRow.read(row) }
    }
}
