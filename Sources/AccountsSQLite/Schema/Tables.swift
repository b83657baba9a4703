/// The statements of the first migration.
enum Tables {
    static let first = people + secrets + signingIn + outbox + copies + auditLog

    private static let people = """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY,
            name TEXT,
            -- The parts that the name was joined from; NULL for one that was written whole.
            given_name TEXT,
            family_name TEXT,
            email TEXT,
            email_is_verified INTEGER NOT NULL,
            email_is_private_relay INTEGER NOT NULL,
            email_is_own INTEGER NOT NULL,
            -- The address that waits to be proved, and the session that asked for it.
            pending_email TEXT,
            pending_email_session TEXT,
            mail_is_forwarded INTEGER NOT NULL,
            -- When forwarding was last switched, by Apple's clock.
            mail_forwarding_changed_at INTEGER,
            username TEXT,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX accounts_by_username ON accounts (username) WHERE username IS NOT NULL;
        CREATE INDEX accounts_by_email ON accounts (lower(email)) WHERE username IS NOT NULL;

        -- A person at Apple opens one account, and an account belongs to one person at most. In the order of the
        -- accounts: a session check reads one page less when no index lies in between.
        CREATE TABLE apple_identities (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            linked_at INTEGER NOT NULL,
            -- When the person agreed last and, after that, stopped to agree; both by Apple's clock.
            consented_at INTEGER NOT NULL,
            revoked_at INTEGER,
            -- Whether a refresh token of Apple's is kept, with which a deletion ends the link there.
            has_refresh_token INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX apple_identities_by_person ON apple_identities (issuer, subject);

        -- By what the recipient of an app finds a person, until they have arrived there.
        CREATE TABLE apple_transfers (
            account_id TEXT PRIMARY KEY
                REFERENCES apple_identities (account_id) ON DELETE CASCADE,
            issuer TEXT NOT NULL,
            identifier TEXT NOT NULL,
            team_id TEXT NOT NULL,
            UNIQUE (issuer, identifier)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sessions (
            token_hash BLOB PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            device TEXT NOT NULL,
            sign_in_method TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            signed_in_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessions_by_account ON sessions (account_id);
        CREATE INDEX sessions_by_end ON sessions (expires_at);

        """

    private static let secrets = """
        CREATE TABLE apple_refresh_tokens (
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            -- What the token is sealed for.
            id TEXT NOT NULL,
            sealed_token TEXT NOT NULL,
            received_at INTEGER NOT NULL,
            -- When Apple is asked next whether the token is still good.
            validates_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, client_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX apple_refresh_tokens_by_validation ON apple_refresh_tokens (validates_at);

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

        -- The codes by which apps come back, by their hashes. The session is looked up when one is exchanged: it may
        -- have ended.
        CREATE TABLE app_codes (
            hash BLOB PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            session_id TEXT NOT NULL,
            client_id TEXT NOT NULL,
            redirect_uri TEXT NOT NULL,
            challenge TEXT NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX app_codes_by_account ON app_codes (account_id);
        CREATE INDEX app_codes_by_end ON app_codes (expires_at);

        """

    private static let signingIn = """
        -- The name of a person whose sign-in has begun and not ended; Apple tells it only once.
        CREATE TABLE pending_names (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            name TEXT NOT NULL,
            given_name TEXT,
            family_name TEXT,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pending_names_by_age ON pending_names (created_at);

        -- Identity tokens and nonces that were used, by their hashes.
        CREATE TABLE used_once (
            hash BLOB PRIMARY KEY,
            remembered_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX used_once_by_end ON used_once (remembered_until);

        -- Notifications that were acted on. Hashes alone: the person may be gone.
        CREATE TABLE apple_events (
            notification_hash BLOB PRIMARY KEY,
            event_hash BLOB NOT NULL UNIQUE,
            person_hash BLOB NOT NULL,
            consent_ended_at INTEGER,
            remembered_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX apple_events_by_person ON apple_events (person_hash, consent_ended_at)
            WHERE consent_ended_at IS NOT NULL;
        CREATE INDEX apple_events_by_end ON apple_events (remembered_until);

        """

    private static let outbox = """
        -- What has to happen outside, at least once. The person is named by a hash alone: their account may be gone.
        CREATE TABLE outbox (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            payload TEXT NOT NULL,
            person_hash BLOB,
            -- The entry that is to be done before.
            waits_for TEXT,
            created_at INTEGER NOT NULL,
            attempt_count INTEGER NOT NULL DEFAULT 0,
            next_attempt_at INTEGER NOT NULL,
            claimed_by TEXT,
            claimed_until INTEGER,
            last_error TEXT,
            is_refused INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outbox_due ON outbox (kind, next_attempt_at) WHERE is_refused = 0;
        CREATE INDEX outbox_by_person ON outbox (person_hash) WHERE person_hash IS NOT NULL;

        -- One row, written to find out whether the file can be written to.
        CREATE TABLE store_state (checked_at INTEGER NOT NULL) STRICT;
        INSERT INTO store_state VALUES (0);

        """

    private static let copies = """
        -- One row: a name by which an unfinished copy knows its source again.
        CREATE TABLE store_identity (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        INSERT INTO store_identity VALUES (1, lower(hex(randomblob(16))));

        -- One row in a database that was filled from another one; servers open it when it is finished.
        CREATE TABLE store_copies (
            id INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            finished_at INTEGER
        ) STRICT;

        -- How far each table is: the key of its last row, and a digest of all.
        CREATE TABLE copied_tables (
            name TEXT PRIMARY KEY,
            position TEXT NOT NULL,
            digest TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        """

    private static let auditLog = """
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
