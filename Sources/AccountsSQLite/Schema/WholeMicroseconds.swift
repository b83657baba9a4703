/// The migration from seconds with a fraction to whole microseconds, and to one outbox for everything.
///
/// Refresh tokens have been sealed for their account: its name becomes the token's own.
enum WholeMicroseconds {
    static let sql = accounts + sessions + signingIn + events + outbox

    private static let accounts = """
        CREATE TABLE new_accounts (
            id TEXT PRIMARY KEY,
            name TEXT,
            email TEXT,
            email_is_verified INTEGER NOT NULL,
            email_is_private_relay INTEGER NOT NULL,
            mail_is_forwarded INTEGER NOT NULL,
            -- When forwarding was last switched, by Apple's clock.
            mail_forwarding_changed_at INTEGER,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO new_accounts
            SELECT id, name, email, email_is_verified, email_is_private_relay, email_is_deliverable,
                CAST(round(email_event_at * 1e6) AS INTEGER),
                CAST(round(created_at * 1e6) AS INTEGER)
            FROM accounts;

        -- A person at Apple opens one account, and an account belongs to one person at most.
        CREATE TABLE new_apple_identities (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            account_id TEXT NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            linked_at INTEGER NOT NULL,
            -- When the person agreed last and, after that, stopped to agree; both by Apple's clock.
            consented_at INTEGER NOT NULL,
            revoked_at INTEGER,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO new_apple_identities
            SELECT issuer, subject, account_id, client_id,
                CAST(round(linked_at * 1e6) AS INTEGER),
                CAST(round(consented_at * 1e6) AS INTEGER),
                CAST(round(revoked_at * 1e6) AS INTEGER)
            FROM apple_identities;

        CREATE TABLE new_apple_refresh_tokens (
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            -- What the token is sealed for.
            id TEXT NOT NULL,
            sealed_token TEXT NOT NULL,
            received_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, client_id)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO new_apple_refresh_tokens
            SELECT account_id, client_id, account_id, sealed_token,
                CAST(round(received_at * 1e6) AS INTEGER)
            FROM apple_refresh_tokens;

        """

    private static let sessions = """
        CREATE TABLE new_sessions (
            token_hash BLOB PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            device TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            signed_in_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO new_sessions
            SELECT token_hash, id, account_id, device, CAST(round(created_at * 1e6) AS INTEGER),
                CAST(round(signed_in_at * 1e6) AS INTEGER),
                CAST(round(last_used_at * 1e6) AS INTEGER),
                CAST(round(expires_at * 1e6) AS INTEGER)
            FROM sessions;

        DROP TABLE sessions;
        DROP TABLE apple_refresh_tokens;
        DROP TABLE apple_identities;
        DROP TABLE accounts;
        ALTER TABLE new_accounts RENAME TO accounts;
        ALTER TABLE new_apple_identities RENAME TO apple_identities;
        ALTER TABLE new_apple_refresh_tokens RENAME TO apple_refresh_tokens;
        ALTER TABLE new_sessions RENAME TO sessions;
        CREATE INDEX sessions_by_account ON sessions (account_id);
        CREATE INDEX sessions_by_end ON sessions (expires_at);

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
        INSERT INTO pending_names (issuer, subject, name, created_at)
            SELECT issuer, subject, name, CAST(round(created_at * 1e6) AS INTEGER)
            FROM pending_registrations WHERE name IS NOT NULL;
        DROP TABLE pending_registrations;

        -- Identity tokens and nonces that were used, by their hashes.
        CREATE TABLE used_once (
            hash BLOB PRIMARY KEY,
            remembered_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX used_once_by_end ON used_once (remembered_until);
        INSERT INTO used_once
            SELECT token_hash, CAST(round(expires_at * 1e6) AS INTEGER) FROM used_identity_tokens;
        -- A used nonce was remembered for a day beyond its end.
        INSERT OR IGNORE INTO used_once
            SELECT nonce_hash, CAST(round((expires_at + 86400) * 1e6) AS INTEGER)
            FROM nonces WHERE used_at IS NOT NULL;
        DROP TABLE used_identity_tokens;
        DROP TABLE nonces;
        DROP TABLE nonce_count;

        """

    private static let events = """
        -- Notifications that were acted on. Hashes alone: the person may be gone.
        CREATE TABLE new_apple_events (
            notification_hash BLOB PRIMARY KEY,
            event_hash BLOB NOT NULL UNIQUE,
            person_hash BLOB NOT NULL,
            consent_ended_at INTEGER,
            remembered_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO new_apple_events
            SELECT notification_hash, event_hash, person_hash,
                CAST(round(consent_ended_at * 1e6) AS INTEGER),
                CAST(round(remembered_until * 1e6) AS INTEGER)
            FROM apple_events;
        DROP TABLE apple_events;
        ALTER TABLE new_apple_events RENAME TO apple_events;
        CREATE INDEX apple_events_by_person ON apple_events (person_hash, consent_ended_at)
            WHERE consent_ended_at IS NOT NULL;
        CREATE INDEX apple_events_by_end ON apple_events (remembered_until);

        """

    private static let outbox = """
        -- What has to happen outside, at least once. The person is named by a hash alone: their account
        -- may be gone.
        CREATE TABLE outbox (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            payload TEXT NOT NULL,
            person_hash BLOB,
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
        INSERT INTO outbox (id, kind, payload, created_at, attempt_count, next_attempt_at, last_error,
                is_refused)
            SELECT id, 'revocation',
                json_object('id', account_id, 'clientID', client_id, 'sealedToken', sealed_token,
                    'receivedAt', created_at),
                CAST(round(created_at * 1e6) AS INTEGER), attempt_count,
                CAST(round(next_attempt_at * 1e6) AS INTEGER), last_error, is_refused
            FROM revocations;
        DROP TABLE revocations;

        -- One row, written to find out whether the file can be written to.
        CREATE TABLE store_state (checked_at INTEGER NOT NULL) STRICT;
        INSERT INTO store_state VALUES (0);

        """
}
