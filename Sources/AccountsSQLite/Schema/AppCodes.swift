/// The table of the codes by which apps come back from the browser.
enum AppCodes {
    static let sql = """
        -- Codes, by their hashes. The session is looked up when one is exchanged: it may have ended.
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
}
