import Accounts
import GRDB

extension Database {
    /// Carries out what a rule decided about the audit log; nothing else comes here.
    func applyToAudit(_ write: StoreWrite) throws {
        switch write {
        case .recordAudit(let entry):
            try run(
                """
                INSERT OR IGNORE INTO audit_waiting (\(AuditEntryRow.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                AuditEntryRow.values(entry)
            )
        case .sealAudit(let entries, let seal):
            for entry in entries { try append(entry) }
            try put(seal)
        case .removeWaitingAudit(let id): try removeWaiting(id)
        case .forgetAudit(let number, let seal):
            try run("DELETE FROM audit_entries WHERE number <= ?", [number])
            try put(seal)
        default: break
        }
    }

    private func append(_ sealed: SealedAuditEntry) throws {
        try run(
            """
            INSERT INTO audit_entries (\(AuditEntryRow.sealedColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            AuditEntryRow.values(sealed.entry)
                + [sealed.position.number, sealed.proof, sealed.position.hash]
        )
        try removeWaiting(sealed.entry.id)
    }

    private func removeWaiting(_ id: AuditID) throws {
        try run("DELETE FROM audit_waiting WHERE id = ?", [id.rawValue])
    }

    private func put(_ seal: AuditSeal) throws {
        try run(
            """
            INSERT OR REPLACE INTO audit_seal (id, \(AuditSealRow.columns))
            VALUES (1, ?, ?, ?, ?, ?, ?, ?)
            """,
            AuditSealRow.values(seal)
        )
    }
}
