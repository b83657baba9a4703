/// The migration that keeps Apple identities in the order of their accounts.
///
/// A session check asks for the identity of an account, far more often than a sign-in asks for that of a person. It
/// reads one page less when no index lies in between.
enum IdentitiesByAccount {
    static let sql = """
        -- A person at Apple opens one account, and an account belongs to one person at most.
        CREATE TABLE new_apple_identities (
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
        INSERT INTO new_apple_identities
            SELECT issuer, subject, account_id, client_id, linked_at, consented_at, revoked_at,
                EXISTS (SELECT 1 FROM apple_refresh_tokens
                    WHERE apple_refresh_tokens.account_id = apple_identities.account_id)
            FROM apple_identities ORDER BY account_id;
        DROP TABLE apple_identities;
        ALTER TABLE new_apple_identities RENAME TO apple_identities;
        -- Made of all rows at once: that takes half the time of one row after the other.
        CREATE UNIQUE INDEX apple_identities_by_person ON apple_identities (issuer, subject);
        """
}
