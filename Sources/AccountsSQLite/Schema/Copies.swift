/// The tables that a copy of another database needs.
enum Copies {
    static let sql = """
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
}
