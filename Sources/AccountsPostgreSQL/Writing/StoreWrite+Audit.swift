import Accounts

extension StoreWrite {
    /// What a rule decided about the audit log.
    var auditStatements: [Statement] {
        switch self {
        case .recordAudit(let entry): [entry.insertion]
        case .forgetAudit(let ids):
            [
                Statement(
                    "DELETE FROM audit_entries WHERE id = ANY ($1)",
                    [.array(ids.map { .text($0.rawValue) }, .text)]
                )
            ]
        default: []
        }
    }
}

extension AuditEntry {
    private static let insertion = Insertion(
        into: "audit_entries",
        AuditEntryRow.insertedColumns,
        onConflict: "(id) DO NOTHING"
    )

    fileprivate var insertion: Statement { Self.insertion.row(AuditEntryRow.values(self)) }
}
