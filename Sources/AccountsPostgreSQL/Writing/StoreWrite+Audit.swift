import Accounts

extension StoreWrite {
    /// What a rule decided about the audit log.
    var auditStatements: [Statement] {
        switch self {
        case .recordAudit(let entry): [entry.insertion]
        case .sealAudit(let entries, let seal):
            SealedAuditEntry.statements(entries) + [seal.statement]
        case .removeWaitingAudit(let id):
            [Statement("DELETE FROM audit_waiting WHERE id = $1", [.text(id.rawValue)])]
        case .forgetAudit(let number, let seal):
            [
                Statement("DELETE FROM audit_entries WHERE number <= $1", [.count(number)]),
                seal.statement,
            ]
        default: []
        }
    }
}

extension AuditEntry {
    private static let insertion = Insertion(
        into: "audit_waiting",
        AuditEntryRow.insertedColumns,
        onConflict: "(id) DO NOTHING"
    )

    var insertion: Statement { Self.insertion.row(AuditEntryRow.values(self)) }
}

extension SealedAuditEntry {
    private static let insertion = Insertion(
        into: "audit_entries",
        AuditEntryRow.sealedInsertedColumns
    )

    /// They are moved to where the chain is.
    fileprivate static func statements(_ entries: [SealedAuditEntry]) -> [Statement] {
        guard !entries.isEmpty else { return [] }
        let removal = Statement(
            "DELETE FROM audit_waiting WHERE id = ANY ($1)",
            [.array(entries.map { .text($0.entry.id.rawValue) }, .text)]
        )
        return [removal] + Statement.together([entries.map(\.insertion)])
    }

    private var insertion: Statement {
        Self.insertion.row(
            AuditEntryRow.values(entry)
                + [.count(position.number), .text(proof), .bytes(position.hash)]
        )
    }
}

extension AuditSeal {
    fileprivate var statement: Statement {
        Statement(
            """
            INSERT INTO audit_seal (id, \(AuditSealRow.columns))
            VALUES (1, $1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (id) DO UPDATE SET
                started_at = excluded.started_at,
                checkpoint_number = excluded.checkpoint_number,
                checkpoint_hash = excluded.checkpoint_hash, head_number = excluded.head_number,
                head_hash = excluded.head_hash, sealed_at = excluded.sealed_at,
                code = excluded.code
            """,
            AuditSealRow.values(self)
        )
    }
}
