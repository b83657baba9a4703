/// The tables of the way in by a password.
enum SecondWayIn {
    static let sql = """
        ALTER TABLE accounts ADD COLUMN username TEXT;
        -- The parts that the name was joined from; NULL for one that was written whole.
        ALTER TABLE accounts ADD COLUMN given_name TEXT;
        ALTER TABLE accounts ADD COLUMN family_name TEXT;
        ALTER TABLE accounts ADD COLUMN email_is_own INTEGER NOT NULL DEFAULT 0;
        -- The address that waits to be proved, and the session that asked for it.
        ALTER TABLE accounts ADD COLUMN pending_email TEXT;
        ALTER TABLE accounts ADD COLUMN pending_email_session TEXT;
        CREATE UNIQUE INDEX accounts_by_username ON accounts (username) WHERE username IS NOT NULL;
        CREATE INDEX accounts_by_email ON accounts (lower(email)) WHERE username IS NOT NULL;

        CREATE TABLE passwords (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            hash TEXT NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Attempts, by keyed hashes of names and addresses.
        CREATE TABLE throttles (
            key BLOB PRIMARY KEY,
            attempt_count INTEGER NOT NULL,
            blocked_until INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX throttles_by_end ON throttles (expires_at);

        -- The links of mails, by the hashes of their secrets.
        CREATE TABLE mail_tokens (
            hash BLOB PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            purpose TEXT NOT NULL,
            address TEXT NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mail_tokens_by_account ON mail_tokens (account_id);
        CREATE INDEX mail_tokens_by_end ON mail_tokens (expires_at);

        -- Until now Apple was the only way in.
        ALTER TABLE sessions ADD COLUMN sign_in_method TEXT NOT NULL DEFAULT 'apple';

        -- The entry that is to be done before.
        ALTER TABLE outbox ADD COLUMN waits_for TEXT;

        -- When Apple is asked next whether the token is still good; spread over a day for those that are there.
        ALTER TABLE apple_refresh_tokens ADD COLUMN validates_at INTEGER NOT NULL DEFAULT 0;
        UPDATE apple_refresh_tokens SET validates_at = received_at + 86400000000;
        CREATE INDEX apple_refresh_tokens_by_validation ON apple_refresh_tokens (validates_at);
        """
}
