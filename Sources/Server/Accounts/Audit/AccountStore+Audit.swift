import Foundation

extension AccountStore {
    /// Writes entries that do not belong to a change.
    package func record(_ entries: [AuditEntry]) async throws(AccountStoreError) {
        try await database.write(entries.map { .recordAudit($0) })
    }

    /// Returns entries in the order of their identifiers.
    package func auditEntries(_ query: AuditQuery) async throws(AccountStoreError) -> [AuditEntry] {
        try await database.read { $0.auditEntries(query) }
    }
}

extension Query {
    /// The audit entry of a change whose response was lost; nil when it was not carried out.
    mutating func auditEntry(of context: AuditContext?) -> QueryResult<AuditEntry?>? {
        context.map { context in
            first(
                Tables.auditEntries.selection,
                "WHERE id = $1",
                [.text(context.id.rawValue)]
            )
        }
    }

    mutating func auditEntries(_ query: AuditQuery) -> QueryResult<[AuditEntry]> {
        let order = query.isLatestFirst ? "DESC" : "ASC"
        var values: [SQLValue] = [.text(query.after?.rawValue ?? ""), .count(query.count)]
        var condition = "id > $1"
        if let account = query.account {
            values.append(.text(account.rawValue))
            condition += " AND account_id = $\(values.count)"
        }
        if let before = query.before {
            values.append(.text(before.rawValue))
            condition += " AND id < $\(values.count)"
        }
        return list(
            Tables.auditEntries.selection,
            "WHERE \(condition) ORDER BY id \(order) LIMIT $2",
            values
        )
    }
}
