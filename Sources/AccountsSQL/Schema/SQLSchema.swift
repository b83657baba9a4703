/// The tables of the accounts database.
///
/// Times are whole microseconds since 1970, identifiers are strings, and hashes are 32 bytes.
package struct SQLSchema {
    /// One step of the schema.
    package struct Migration: Sendable {
        package let name: String
        package let statements: [String]

        package init(name: String, statements: [String]) {
            self.name = name
            self.statements = statements
        }
    }

    private let dialect: SQLDialect

    package init(_ dialect: SQLDialect) {
        self.dialect = dialect
    }

    /// The steps in order; a released one never changes.
    package var migrations: [Migration] {
        [
            Migration(
                name: "first tables",
                statements: people + sessions + secrets + signingIn + outbox + copies + auditLog
            ),
            Migration(name: "keys of access tokens", statements: [tokenKeys]),
            Migration(name: "administration", statements: administration),
        ]
    }

    /// A table of a few rows, so without an index.
    private var tokenKeys: String {
        """
        CREATE TABLE token_keys (
            id TEXT PRIMARY KEY,
            sealed_key TEXT NOT NULL,
            public_key \(dialect.bytes) NOT NULL,
            created_at \(dialect.integer) NOT NULL,
            signs_from \(dialect.integer) NOT NULL,
            -- NULL while no other key replaces it.
            published_until \(dialect.integer)
        )\(dialect.tableOptions)
        """
    }

    private var administration: [String] {
        [
            // Apart from the addresses of accounts with usernames, which sign-ins read.
            """
            CREATE INDEX accounts_by_other_email ON accounts (email_key)
                WHERE username IS NULL AND email_key IS NOT NULL
            """,
            // The fingerprints of the servers' sealing keys, written to check that the database is writable.
            "CREATE TABLE server_keys (sealing_keys TEXT PRIMARY KEY, recorded_at \(dialect.integer) NOT NULL)\(dialect.tableOptions)",
        ]
    }

    private var people: [String] {
        [
            """
            CREATE TABLE accounts (
                id TEXT PRIMARY KEY,
                name TEXT,
                -- The parts that form the name; NULL when it was entered as a whole.
                given_name TEXT,
                family_name TEXT,
                email TEXT,
                email_key TEXT,
                email_is_verified \(dialect.boolean) NOT NULL,
                email_is_private_relay \(dialect.boolean) NOT NULL,
                email_is_own \(dialect.boolean) NOT NULL,
                -- When the account got the email address.
                email_since \(dialect.integer),
                -- The email address to verify, and the session that requested it.
                pending_email TEXT,
                pending_email_session TEXT,
                mail_is_forwarded \(dialect.boolean) NOT NULL,
                mail_forwarding_changed_at \(dialect.integer),
                username TEXT,
                password_set_at \(dialect.integer),
                created_at \(dialect.integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE UNIQUE INDEX accounts_by_username ON accounts (username) WHERE username IS NOT NULL",
            "CREATE INDEX accounts_by_email ON accounts (email_key) WHERE username IS NOT NULL",
            // An Apple user has one account, and an account has at most one Apple user.
            """
            CREATE TABLE apple_identities (
                account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                issuer TEXT NOT NULL,
                subject TEXT NOT NULL,
                client_id TEXT NOT NULL,
                linked_at \(dialect.integer) NOT NULL,
                consented_at \(dialect.integer) NOT NULL,
                revoked_at \(dialect.integer),
                -- Whether a refresh token is stored, which a deletion revokes at Apple.
                has_refresh_token \(dialect.boolean) NOT NULL,
                UNIQUE (issuer, subject)
            )\(dialect.tableOptions)
            """,
            // The transfer identifiers by which the receiving team finds users who are not migrated yet.
            """
            CREATE TABLE apple_transfers (
                account_id TEXT PRIMARY KEY
                    REFERENCES apple_identities (account_id) ON DELETE CASCADE,
                issuer TEXT NOT NULL,
                identifier TEXT NOT NULL,
                team_id TEXT NOT NULL,
                UNIQUE (issuer, identifier)
            )\(dialect.tableOptions)
            """,
        ]
    }

    private var sessions: [String] {
        [
            """
            CREATE TABLE sessions (
                token_hash \(dialect.bytes) PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                device TEXT NOT NULL,
                sign_in_method TEXT NOT NULL,
                created_at \(dialect.integer) NOT NULL,
                signed_in_at \(dialect.integer) NOT NULL,
                last_used_at \(dialect.integer) NOT NULL,
                expires_at \(dialect.integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX sessions_by_account ON sessions (account_id, expires_at)",
            "CREATE INDEX sessions_by_end ON sessions (expires_at)",
        ]
    }

    private var secrets: [String] {
        [
            """
            CREATE TABLE apple_refresh_tokens (
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                client_id TEXT NOT NULL,
                id TEXT NOT NULL,
                sealed_token TEXT NOT NULL,
                received_at \(dialect.integer) NOT NULL,
                validates_at \(dialect.integer) NOT NULL,
                PRIMARY KEY (account_id, client_id)
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX apple_refresh_tokens_by_validation ON apple_refresh_tokens (validates_at)",
            """
            CREATE TABLE passwords (
                account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                hash TEXT NOT NULL,
                changed_at \(dialect.integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            // Attempts, by keyed hashes of usernames and IP addresses.
            """
            CREATE TABLE throttles (
                key \(dialect.bytes) PRIMARY KEY,
                attempt_count \(dialect.integer) NOT NULL,
                blocked_until \(dialect.integer) NOT NULL,
                expires_at \(dialect.integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX throttles_by_end ON throttles (expires_at)",
            // The links in emails, by the hashes of their secrets; what an undone change restores is JSON.
            """
            CREATE TABLE mail_tokens (
                hash \(dialect.bytes) PRIMARY KEY,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                purpose TEXT NOT NULL,
                address TEXT NOT NULL,
                expires_at \(dialect.integer) NOT NULL,
                snapshot TEXT
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX mail_tokens_by_account ON mail_tokens (account_id)",
            "CREATE INDEX mail_tokens_by_end ON mail_tokens (expires_at)",
            // The session is no foreign key: the exchange of a code looks it up, because it may have ended.
            """
            CREATE TABLE app_codes (
                hash \(dialect.bytes) PRIMARY KEY,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                session_id TEXT NOT NULL,
                client_id TEXT NOT NULL,
                redirect_uri TEXT NOT NULL,
                challenge TEXT NOT NULL,
                expires_at \(dialect.integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX app_codes_by_account ON app_codes (account_id)",
            "CREATE INDEX app_codes_by_end ON app_codes (expires_at)",
        ]
    }

    private var signingIn: [String] {
        [
            // The names of users with an unfinished sign-in, because Apple sends a name only once.
            """
            CREATE TABLE pending_names (
                issuer TEXT NOT NULL,
                subject TEXT NOT NULL,
                name TEXT NOT NULL,
                given_name TEXT,
                family_name TEXT,
                created_at \(dialect.integer) NOT NULL,
                PRIMARY KEY (issuer, subject)
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX pending_names_by_age ON pending_names (created_at)",
            // Used identity tokens and nonces, by their hashes.
            """
            CREATE TABLE used_once (
                hash \(dialect.bytes) PRIMARY KEY,
                remembered_until \(dialect.integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX used_once_by_end ON used_once (remembered_until)",
            // Processed notifications, as hashes only, because the user may be deleted.
            """
            CREATE TABLE apple_events (
                notification_hash \(dialect.bytes) PRIMARY KEY,
                event_hash \(dialect.bytes) NOT NULL UNIQUE,
                person_hash \(dialect.bytes) NOT NULL,
                consent_ended_at \(dialect.integer),
                remembered_until \(dialect.integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            """
            CREATE INDEX apple_events_by_person ON apple_events (person_hash, consent_ended_at)
                WHERE consent_ended_at IS NOT NULL
            """,
            "CREATE INDEX apple_events_by_end ON apple_events (remembered_until)",
        ]
    }

    private var outbox: [String] {
        [
            // External actions to carry out at least once. A hash identifies the user, whose account may be deleted.
            """
            CREATE TABLE outbox (
                id TEXT PRIMARY KEY,
                kind TEXT NOT NULL,
                payload TEXT NOT NULL,
                person_hash \(dialect.bytes),
                -- The entry to carry out first.
                waits_for TEXT,
                created_at \(dialect.integer) NOT NULL,
                attempt_count \(dialect.integer) NOT NULL DEFAULT 0,
                next_attempt_at \(dialect.integer) NOT NULL,
                claimed_by TEXT,
                claimed_until \(dialect.integer),
                last_error TEXT,
                is_refused \(dialect.boolean) NOT NULL DEFAULT false
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX outbox_due ON outbox (kind, next_attempt_at) WHERE NOT is_refused",
            "CREATE INDEX outbox_by_person ON outbox (person_hash) WHERE person_hash IS NOT NULL",
        ]
    }

    private var copies: [String] {
        [
            // One row: the name by which an unfinished copy recognizes its source.
            "CREATE TABLE store_identity (id \(dialect.integer) PRIMARY KEY, name TEXT NOT NULL)\(dialect.tableOptions)",
            "INSERT INTO store_identity (id, name) VALUES (1, \(dialect.randomText))",
            // One row in a database copied from another one; servers open it when the copy is finished.
            """
            CREATE TABLE store_copies (
                id \(dialect.integer) PRIMARY KEY,
                source TEXT NOT NULL,
                started_at \(dialect.integer) NOT NULL,
                finished_at \(dialect.integer)
            )\(dialect.tableOptions)
            """,
            // The progress of each table: the key of the last row copied, and a digest of all.
            """
            CREATE TABLE copied_tables (
                name TEXT PRIMARY KEY,
                position TEXT NOT NULL,
                digest TEXT NOT NULL
            )\(dialect.tableOptions)
            """,
        ]
    }

    private var auditLog: [String] {
        [
            // Entries outlive the accounts that they name.
            """
            CREATE TABLE audit_entries (
                id TEXT PRIMARY KEY,
                occurred_at \(dialect.integer) NOT NULL,
                action TEXT NOT NULL,
                actor TEXT NOT NULL,
                administrator TEXT,
                account_id TEXT,
                session_id TEXT,
                address TEXT,
                client TEXT,
                detail TEXT
            )\(dialect.tableOptions)
            """,
            """
            CREATE INDEX audit_entries_by_account ON audit_entries (account_id, id)
                WHERE account_id IS NOT NULL
            """,
            "CREATE INDEX audit_entries_by_time ON audit_entries (occurred_at)",
        ]
    }
}
