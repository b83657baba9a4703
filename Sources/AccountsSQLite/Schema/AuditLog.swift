/// The tables of the audit log.
enum AuditLog {
    static let sql = """
        -- Entries that are not part of the chain yet. They outlive the accounts that they name.
        CREATE TABLE audit_waiting (
            id TEXT PRIMARY KEY,
            occurred_at INTEGER NOT NULL,
            action TEXT NOT NULL,
            actor TEXT NOT NULL,
            administrator TEXT,
            account_id TEXT,
            session_id TEXT,
            address TEXT,
            client TEXT,
            detail TEXT,
            code BLOB
        ) STRICT, WITHOUT ROWID;

        -- The chain. Nothing is ever changed in it: entries come at its end, and go at its beginning.
        CREATE TABLE audit_entries (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            occurred_at INTEGER NOT NULL,
            action TEXT NOT NULL,
            actor TEXT NOT NULL,
            administrator TEXT,
            account_id TEXT,
            session_id TEXT,
            address TEXT,
            client TEXT,
            detail TEXT,
            code BLOB,
            proof TEXT NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        -- Not unique: a row that somebody else has put there must not stop the chain.
        CREATE INDEX audit_entries_by_id ON audit_entries (id);
        CREATE INDEX audit_entries_by_account ON audit_entries (account_id, id)
            WHERE account_id IS NOT NULL;

        -- One row, signed: where the chain begins and ends.
        CREATE TABLE audit_seal (
            id INTEGER PRIMARY KEY,
            started_at INTEGER NOT NULL,
            checkpoint_number INTEGER NOT NULL,
            checkpoint_hash BLOB NOT NULL,
            head_number INTEGER NOT NULL,
            head_hash BLOB NOT NULL,
            sealed_at INTEGER NOT NULL,
            code BLOB
        ) STRICT;
        INSERT INTO audit_seal VALUES (1, 0, 0, zeroblob(32), 0, zeroblob(32), 0, NULL);
        """
}
