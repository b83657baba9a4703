/// Where the SQL of the databases differs.
package struct SQLDialect: Sendable {
    /// The type of whole numbers of 64 bits.
    package let integer: String
    /// The type of booleans.
    package let boolean: String
    /// The type of bytes.
    package let bytes: String
    /// What stands behind the columns of a table.
    package let tableOptions: String
    /// An expression for a random text.
    package let randomText: String
    /// Has a selection pass over rows that another transaction is about to change.
    package let skipLocked: String

    package static let sqlite = SQLDialect(
        integer: "INTEGER",
        boolean: "INTEGER",
        bytes: "BLOB",
        tableOptions: " STRICT, WITHOUT ROWID",
        randomText: "lower(hex(randomblob(16)))",
        // One connection writes.
        skipLocked: ""
    )

    package static let postgreSQL = SQLDialect(
        integer: "BIGINT",
        boolean: "BOOLEAN",
        bytes: "BYTEA",
        tableOptions: "",
        randomText: "gen_random_uuid()::TEXT",
        skipLocked: "FOR UPDATE SKIP LOCKED"
    )
}
