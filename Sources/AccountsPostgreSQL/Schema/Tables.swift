/// The statements of the first migration.
enum Tables {
    static let first = people + secrets + signingIn + outbox + copies + auditLog

    private static let people = [
        """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY,
            name TEXT,
            -- The parts that the name was joined from; NULL for one that was written whole.
            given_name TEXT,
            family_name TEXT,
            email TEXT,
            email_key TEXT,
            email_is_verified BOOLEAN NOT NULL,
            email_is_private_relay BOOLEAN NOT NULL,
            email_is_own BOOLEAN NOT NULL,
            -- The address that waits to be proved, and the session that asked for it.
            pending_email TEXT,
            pending_email_session TEXT,
            mail_is_forwarded BOOLEAN NOT NULL,
            mail_forwarding_changed_at BIGINT,
            username TEXT,
            created_at BIGINT NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX accounts_by_username ON accounts (username) WHERE username IS NOT NULL",
        "CREATE INDEX accounts_by_email ON accounts (email_key) WHERE username IS NOT NULL",
        // A person at Apple opens one account, and an account belongs to one person at most.
        """
        CREATE TABLE apple_identities (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            account_id TEXT NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            linked_at BIGINT NOT NULL,
            consented_at BIGINT NOT NULL,
            revoked_at BIGINT,
            -- Whether a refresh token of Apple's is kept, with which a deletion ends the link there.
            has_refresh_token BOOLEAN NOT NULL,
            PRIMARY KEY (issuer, subject)
        )
        """,
        // By what the recipient of an app finds a person, until they have arrived there.
        """
        CREATE TABLE apple_transfers (
            account_id TEXT PRIMARY KEY
                REFERENCES apple_identities (account_id) ON DELETE CASCADE,
            issuer TEXT NOT NULL,
            identifier TEXT NOT NULL,
            team_id TEXT NOT NULL,
            UNIQUE (issuer, identifier)
        )
        """,
        """
        CREATE TABLE sessions (
            token_hash BYTEA PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            device TEXT NOT NULL,
            sign_in_method TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            signed_in_at BIGINT NOT NULL,
            last_used_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX sessions_by_account ON sessions (account_id)",
        "CREATE INDEX sessions_by_end ON sessions (expires_at)",
    ]

    private static let secrets = [
        """
        CREATE TABLE apple_refresh_tokens (
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            id TEXT NOT NULL,
            sealed_token TEXT NOT NULL,
            received_at BIGINT NOT NULL,
            validates_at BIGINT NOT NULL,
            PRIMARY KEY (account_id, client_id)
        )
        """,
        "CREATE INDEX apple_refresh_tokens_by_validation ON apple_refresh_tokens (validates_at)",
        """
        CREATE TABLE passwords (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            hash TEXT NOT NULL,
            changed_at BIGINT NOT NULL
        )
        """,
        // Attempts, by keyed hashes of names and addresses.
        """
        CREATE TABLE throttles (
            key BYTEA PRIMARY KEY,
            attempt_count BIGINT NOT NULL,
            blocked_until BIGINT NOT NULL,
            expires_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX throttles_by_end ON throttles (expires_at)",
        // The links of mails, by the hashes of their secrets.
        """
        CREATE TABLE mail_tokens (
            hash BYTEA PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            purpose TEXT NOT NULL,
            address TEXT NOT NULL,
            expires_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX mail_tokens_by_account ON mail_tokens (account_id)",
        "CREATE INDEX mail_tokens_by_end ON mail_tokens (expires_at)",
        // The session is looked up when a code is exchanged: it may have ended.
        """
        CREATE TABLE app_codes (
            hash BYTEA PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            session_id TEXT NOT NULL,
            client_id TEXT NOT NULL,
            redirect_uri TEXT NOT NULL,
            challenge TEXT NOT NULL,
            expires_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX app_codes_by_account ON app_codes (account_id)",
        "CREATE INDEX app_codes_by_end ON app_codes (expires_at)",
    ]

    private static let signingIn = [
        // The name of a person whose sign-in has begun and not ended; Apple tells it only once.
        """
        CREATE TABLE pending_names (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            name TEXT NOT NULL,
            given_name TEXT,
            family_name TEXT,
            created_at BIGINT NOT NULL,
            PRIMARY KEY (issuer, subject)
        )
        """,
        "CREATE INDEX pending_names_by_age ON pending_names (created_at)",
        // Identity tokens and nonces that were used, by their hashes.
        """
        CREATE TABLE used_once (
            hash BYTEA PRIMARY KEY,
            remembered_until BIGINT NOT NULL
        )
        """,
        "CREATE INDEX used_once_by_end ON used_once (remembered_until)",
        // Notifications that were acted on. Hashes alone: the person may be gone.
        """
        CREATE TABLE apple_events (
            notification_hash BYTEA PRIMARY KEY,
            event_hash BYTEA NOT NULL UNIQUE,
            person_hash BYTEA NOT NULL,
            consent_ended_at BIGINT,
            remembered_until BIGINT NOT NULL
        )
        """,
        """
        CREATE INDEX apple_events_by_person ON apple_events (person_hash, consent_ended_at)
            WHERE consent_ended_at IS NOT NULL
        """,
        "CREATE INDEX apple_events_by_end ON apple_events (remembered_until)",
    ]

    private static let outbox = [
        // What has to happen outside, at least once. The person is named by a hash alone: their account may be gone.
        """
        CREATE TABLE outbox (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            payload TEXT NOT NULL,
            person_hash BYTEA,
            -- The entry that is to be done before.
            waits_for TEXT,
            created_at BIGINT NOT NULL,
            attempt_count BIGINT NOT NULL DEFAULT 0,
            next_attempt_at BIGINT NOT NULL,
            claimed_by TEXT,
            claimed_until BIGINT,
            last_error TEXT,
            is_refused BOOLEAN NOT NULL DEFAULT false
        )
        """,
        "CREATE INDEX outbox_due ON outbox (kind, next_attempt_at) WHERE NOT is_refused",
        "CREATE INDEX outbox_by_person ON outbox (person_hash) WHERE person_hash IS NOT NULL",
        // One row, written to find out whether the database can be written to.
        "CREATE TABLE store_state (id BIGINT PRIMARY KEY, checked_at BIGINT NOT NULL)",
        "INSERT INTO store_state (id, checked_at) VALUES (1, 0)",
    ]

    private static let copies = [
        // One row: a name by which an unfinished copy knows its source again.
        "CREATE TABLE store_identity (id BIGINT PRIMARY KEY, name TEXT NOT NULL)",
        "INSERT INTO store_identity (id, name) VALUES (1, gen_random_uuid()::TEXT)",
        // One row in a database that was filled from another one; servers open it when it is finished.
        """
        CREATE TABLE store_copies (
            id BIGINT PRIMARY KEY,
            source TEXT NOT NULL,
            started_at BIGINT NOT NULL,
            finished_at BIGINT
        )
        """,
        // How far each table is: the key of its last row, and a digest of all.
        """
        CREATE TABLE copied_tables (
            name TEXT PRIMARY KEY,
            position TEXT NOT NULL,
            digest TEXT NOT NULL
        )
        """,
    ]

    private static let auditLog = [
        // Entries outlive the accounts that they name.
        """
        CREATE TABLE audit_entries (
            id TEXT PRIMARY KEY,
            occurred_at BIGINT NOT NULL,
            action TEXT NOT NULL,
            actor TEXT NOT NULL,
            administrator TEXT,
            account_id TEXT,
            session_id TEXT,
            address TEXT,
            client TEXT,
            detail TEXT
        )
        """,
        """
        CREATE INDEX audit_entries_by_account ON audit_entries (account_id, id)
            WHERE account_id IS NOT NULL
        """,
        "CREATE INDEX audit_entries_by_time ON audit_entries (occurred_at)",
    ]
}
