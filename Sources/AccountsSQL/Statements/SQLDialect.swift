/// The differences between the databases' SQL.
package struct SQLDialect: Sendable {
    /// The type of 64-bit integers.
    package let integer: String
    /// The type of booleans.
    package let boolean: String
    /// The type of bytes.
    package let bytes: String
    /// The options after the columns of a new table.
    package let tableOptions: String
    /// An expression for a random string.
    package let randomText: String
    /// The clause that makes a selection skip rows that another transaction has locked.
    package let skipLocked: String

    /// An expression for the server's time in microseconds; nil for a database in this process.
    package let clock: String?

    package static let sqlite = SQLDialect(
        integer: "INTEGER",
        boolean: "INTEGER",
        bytes: "BLOB",
        tableOptions: " STRICT, WITHOUT ROWID",
        randomText: "lower(hex(randomblob(16)))",
        // Only one connection writes.
        skipLocked: "",
        clock: nil
    )

    package static let postgreSQL = SQLDialect(
        integer: "BIGINT",
        boolean: "BOOLEAN",
        bytes: "BYTEA",
        tableOptions: "",
        randomText: "gen_random_uuid()::TEXT",
        skipLocked: "FOR UPDATE SKIP LOCKED",
        clock: "(extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT"
    )
}
