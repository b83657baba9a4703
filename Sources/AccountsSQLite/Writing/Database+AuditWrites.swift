import Accounts
import GRDB

extension Database {
    /// Carries out what a rule decided about the audit log; nothing else comes here.
    func applyToAudit(_ write: StoreWrite) throws {
        switch write {
        case .recordAudit(let entry):
            try run(
                """
                INSERT OR IGNORE INTO audit_entries (\(AuditEntryRow.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                AuditEntryRow.values(entry)
            )
        case .forgetAudit(let ids):
            for id in ids { try run("DELETE FROM audit_entries WHERE id = ?", [id.rawValue]) }
        default: break
        }
    }
}
