/// The table of the audit log.
enum AuditLog {
    static let sql = """
        -- Entries outlive the accounts that they name.
        CREATE TABLE audit_entries (
            id TEXT PRIMARY KEY,
            occurred_at INTEGER NOT NULL,
            action TEXT NOT NULL,
            actor TEXT NOT NULL,
            administrator TEXT,
            account_id TEXT,
            session_id TEXT,
            address TEXT,
            client TEXT,
            detail TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX audit_entries_by_account ON audit_entries (account_id, id)
            WHERE account_id IS NOT NULL;
        CREATE INDEX audit_entries_by_time ON audit_entries (occurred_at);
        """
}
