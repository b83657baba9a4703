/// The table of people whose app goes to another team.
enum AppleTransfers {
    static let sql = """
        -- By what the recipient finds a person, until they have arrived there.
        CREATE TABLE apple_transfers (
            account_id TEXT PRIMARY KEY
                REFERENCES apple_identities (account_id) ON DELETE CASCADE,
            issuer TEXT NOT NULL,
            identifier TEXT NOT NULL,
            team_id TEXT NOT NULL,
            UNIQUE (issuer, identifier)
        ) STRICT, WITHOUT ROWID;
        """
}
