extension Tables {
    static let auditLog = [
        // Entries that are not part of the chain yet. They outlive the accounts that they name.
        """
        CREATE TABLE audit_waiting (
            id TEXT PRIMARY KEY,
            occurred_at BIGINT NOT NULL,
            action TEXT NOT NULL,
            actor TEXT NOT NULL,
            administrator TEXT,
            account_id TEXT,
            session_id TEXT,
            address TEXT,
            client TEXT,
            detail TEXT,
            code BYTEA
        )
        """,
        // The chain. Nothing is ever changed in it: entries come at its end, and go at its beginning.
        """
        CREATE TABLE audit_entries (
            number BIGINT PRIMARY KEY,
            id TEXT NOT NULL,
            occurred_at BIGINT NOT NULL,
            action TEXT NOT NULL,
            actor TEXT NOT NULL,
            administrator TEXT,
            account_id TEXT,
            session_id TEXT,
            address TEXT,
            client TEXT,
            detail TEXT,
            code BYTEA,
            proof TEXT NOT NULL,
            hash BYTEA NOT NULL
        )
        """,
        // Not unique: a row that somebody else has put there must not stop the chain.
        "CREATE INDEX audit_entries_by_id ON audit_entries (id)",
        """
        CREATE INDEX audit_entries_by_account ON audit_entries (account_id, id)
            WHERE account_id IS NOT NULL
        """,
        // One row, signed: where the chain begins and ends.
        """
        CREATE TABLE audit_seal (
            id BIGINT PRIMARY KEY,
            started_at BIGINT NOT NULL,
            checkpoint_number BIGINT NOT NULL,
            checkpoint_hash BYTEA NOT NULL,
            head_number BIGINT NOT NULL,
            head_hash BYTEA NOT NULL,
            sealed_at BIGINT NOT NULL,
            code BYTEA
        )
        """,
        """
        INSERT INTO audit_seal VALUES
            (1, 0, 0, decode(repeat('00', 32), 'hex'), 0, decode(repeat('00', 32), 'hex'), 0, NULL)
        """,
    ]
}
