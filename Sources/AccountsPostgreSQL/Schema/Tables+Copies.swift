extension Tables {
    /// What a copy of another database needs.
    static let copies = [
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
}
