import Accounts

extension StoreWrite {
    /// What a rule decided about the audit log.
    var auditStatements: [Statement] {
        switch self {
        case .recordAudit(let entry): [entry.insertion]
        case .sealAudit(let entries, let seal): entries.map(\.statement) + [seal.statement]
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
    var insertion: Statement {
        Statement(
            """
            INSERT INTO audit_waiting (\(AuditEntryRow.columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (id) DO NOTHING
            """,
            AuditEntryRow.values(self)
        )
    }
}

extension SealedAuditEntry {
    fileprivate var statement: Statement {
        Statement(
            """
            WITH gone AS (DELETE FROM audit_waiting WHERE id = $1)
            INSERT INTO audit_entries (\(AuditEntryRow.sealedColumns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """,
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
