import Accounts
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Writes entries of the audit log that belong to no other change.
    package func record(_ entries: [AuditEntry]) async throws(AccountStoreError) {
        try await writer.decide { _ in Decision((), entries.map { .recordAudit($0) }) }
    }

    /// Lists entries of the audit log by their names.
    package func auditEntries(_ query: AuditQuery) async throws(AccountStoreError) -> [AuditEntry] {
        try await read { try $0.auditEntries(query) }
    }

    /// Forgets old entries of the audit log; by reading alone when there are none.
    package func forgetAuditEntries(
        until limit: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int {
        let ids = try await read { database in
            try database.rows(
                "SELECT id FROM audit_entries WHERE occurred_at <= ? LIMIT ?",
                [limit.microseconds, maximumCount]
            )
            .map { AuditID(rawValue: $0[0]) }
        }
        guard !ids.isEmpty else { return 0 }
        return try await writer.decide { _ in Decision(ids.count, [.forgetAudit(ids)]) }
    }
}

extension Database {
    /// By what something is known again that was carried out, and whose answer was lost.
    func auditEntry(of context: AuditContext?) throws -> AuditEntry? {
        guard let id = context?.id.rawValue else { return nil }
        return try row("SELECT \(AuditEntryRow.columns) FROM audit_entries WHERE id = ?", [id])
            .map(AuditEntryRow.read)
    }

    func auditEntries(_ query: AuditQuery) throws -> [AuditEntry] {
        let order = query.isLatestFirst ? "DESC" : "ASC"
        let account = query.account == nil ? "" : "AND account_id = ?3"
        var arguments: StatementArguments = [query.after?.rawValue ?? "", query.count]
        if let account = query.account { arguments += [account.rawValue] }
        return try rows(
            """
            SELECT \(AuditEntryRow.columns) FROM audit_entries
            WHERE id > ?1 \(account) ORDER BY id \(order) LIMIT ?2
            """,
            arguments
        )
        .map(AuditEntryRow.read)
    }
}
