import Accounts
import GRDB

/// The tables, as they have grown; a migration that has been released is never changed.
///
/// Times are whole microseconds since 1970. Identifiers are texts, hashes are blobs of 32 bytes.
enum AccountsSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("accounts, Apple identities, sessions, outbox") { database in
            try database.execute(sql: people)
            try database.execute(sql: signingIn)
            try database.execute(sql: outbox)
        }
        migrator.registerMigration("nonces counted and forgotten by their use") { database in
            try database.execute(sql: nonces)
        }
        migrator.registerMigration("what Apple tells of people") { database in
            try database.execute(sql: events)
        }
        migrator.registerMigration("whole microseconds, one outbox") { database in
            try database.execute(sql: WholeMicroseconds.sql)
        }
        migrator.registerMigration("a second way in") { database in
            try database.execute(sql: SecondWayIn.sql)
        }
        migrator.registerMigration("codes by which apps come back") { database in
            try database.execute(sql: AppCodes.sql)
        }
        migrator.registerMigration("copies of other databases") { database in
            try database.execute(sql: Copies.sql)
        }
        migrator.registerMigration("people on their way to another team") { database in
            try database.execute(sql: AppleTransfers.sql)
        }
        migrator.registerMigration("an audit log") { database in
            try database.execute(sql: AuditLog.sql)
        }
        migrator.registerMigration("Apple identities by their accounts") { database in
            try database.execute(sql: IdentitiesByAccount.sql)
        }
        return migrator
    }

    /// Brings a file up to date; one that has tables already is copied first.
    ///
    /// - Throws: `AccountStoreError` when a newer program has changed the tables, or a copy can't be made.
    static func bringUpToDate(_ queue: DatabaseQueue, path: String) throws {
        let (isNewer, isOld, applied) = try queue.read { database in
            (
                try migrator.hasBeenSuperseded(database),
                try !migrator.hasCompletedMigrations(database),
                try migrator.appliedIdentifiers(database)
            )
        }
        guard !isNewer else {
            throw AccountStoreError(
                .failed,
                hint: "a newer program has written the database; run that one, or restore a copy"
            )
        }
        if isOld, !applied.isEmpty { try backUp(queue, to: "\(path).before-\(applied.count + 1)") }
        try migrator.migrate(queue)
    }

    private static func backUp(_ queue: DatabaseQueue, to path: String) throws {
        SQLiteAccountStore.createPrivately(path)
        let copy = try DatabaseQueue(path: path)
        try queue.backup(to: copy)
        try copy.close()
    }

    private static let people = """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY,
            name TEXT,
            email TEXT,
            email_is_verified INTEGER NOT NULL DEFAULT 0,
            email_is_private_relay INTEGER NOT NULL DEFAULT 0,
            email_is_deliverable INTEGER NOT NULL DEFAULT 1,
            created_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- A person at Apple opens one account, and an account belongs to one person at most.
        CREATE TABLE apple_identities (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            account_id TEXT NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            linked_at REAL NOT NULL,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE apple_refresh_tokens (
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            sealed_token TEXT NOT NULL,
            received_at REAL NOT NULL,
            PRIMARY KEY (account_id, client_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sessions (
            token_hash BLOB PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            device TEXT NOT NULL,
            created_at REAL NOT NULL,
            signed_in_at REAL NOT NULL,
            last_used_at REAL NOT NULL,
            expires_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessions_by_account ON sessions (account_id);
        CREATE INDEX sessions_by_end ON sessions (expires_at);
        """

    private static let signingIn = """
        -- The name of a person whose sign-in has begun and not ended; Apple tells it only once.
        CREATE TABLE pending_registrations (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            name TEXT,
            created_at REAL NOT NULL,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pending_registrations_by_age ON pending_registrations (created_at);

        CREATE TABLE used_identity_tokens (
            token_hash BLOB PRIMARY KEY,
            expires_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX used_identity_tokens_by_end ON used_identity_tokens (expires_at);

        -- The number grows with each nonce, so that first and last tell how many there are at most.
        CREATE TABLE nonces (
            number INTEGER PRIMARY KEY,
            nonce_hash BLOB NOT NULL UNIQUE,
            expires_at REAL NOT NULL,
            used_at REAL
        ) STRICT;
        CREATE INDEX nonces_by_end ON nonces (expires_at);
        """

    private static let nonces = """
        DROP INDEX nonces_by_end;
        CREATE INDEX nonces_unused_by_end ON nonces (expires_at) WHERE used_at IS NULL;
        CREATE INDEX nonces_used_by_end ON nonces (expires_at) WHERE used_at IS NOT NULL;

        -- One row: counting the nonces themselves would take longer the more there are.
        CREATE TABLE nonce_count (stored_count INTEGER NOT NULL) STRICT;
        INSERT INTO nonce_count (stored_count) SELECT count(*) FROM nonces;
        CREATE TRIGGER nonces_counted_in AFTER INSERT ON nonces
            BEGIN UPDATE nonce_count SET stored_count = stored_count + 1; END;
        CREATE TRIGGER nonces_counted_out AFTER DELETE ON nonces
            BEGIN UPDATE nonce_count SET stored_count = stored_count - 1; END;
        """

    private static let events = """
        -- When the person agreed last and, after that, stopped to agree; both by Apple's clock.
        ALTER TABLE apple_identities ADD COLUMN consented_at REAL NOT NULL DEFAULT 0;
        ALTER TABLE apple_identities ADD COLUMN revoked_at REAL;
        UPDATE apple_identities SET consented_at = max(linked_at, ifnull(
            (SELECT max(signed_in_at) FROM sessions
             WHERE sessions.account_id = apple_identities.account_id), 0));
        -- When forwarding was last switched, by Apple's clock.
        ALTER TABLE accounts ADD COLUMN email_event_at REAL;

        -- Notifications that were acted on. Hashes alone: the person may be gone.
        CREATE TABLE apple_events (
            notification_hash BLOB PRIMARY KEY,
            event_hash BLOB NOT NULL UNIQUE,
            person_hash BLOB NOT NULL,
            consent_ended_at REAL,
            remembered_until REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX apple_events_by_person ON apple_events (person_hash, consent_ended_at)
            WHERE consent_ended_at IS NOT NULL;
        CREATE INDEX apple_events_by_end ON apple_events (remembered_until);
        """

    private static let outbox = """
        -- The accounts are gone: these rows name them only because the sealed tokens are bound to them.
        CREATE TABLE revocations (
            id TEXT PRIMARY KEY,
            account_id TEXT NOT NULL,
            client_id TEXT NOT NULL,
            sealed_token TEXT NOT NULL,
            created_at REAL NOT NULL,
            attempt_count INTEGER NOT NULL DEFAULT 0,
            next_attempt_at REAL NOT NULL,
            claimed_by TEXT,
            claimed_until REAL,
            last_error TEXT,
            is_refused INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX revocations_due ON revocations (next_attempt_at) WHERE is_refused = 0;
        """
}
