/// The differences between the databases' SQL.
package struct SQLDialect: Sendable {
    /// The type of 64-bit integers.
    let integer: String
    /// The type of booleans.
    let boolean: String
    /// The type of bytes.
    let bytes: String
    /// The options after the columns of a new table.
    let tableOptions: String
    /// An expression for a random string.
    let randomText: String
    /// The clause that makes a selection skip rows that another transaction has locked.
    let skipLocked: String

    /// An expression for the server's time in microseconds; nil for a database in this process.
    let clock: String?

    func type(_ kind: StoreColumn.Kind) -> String {
        switch kind {
        case .text: "TEXT"
        case .integer: integer
        case .boolean: boolean
        case .bytes: bytes
        }
    }

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
