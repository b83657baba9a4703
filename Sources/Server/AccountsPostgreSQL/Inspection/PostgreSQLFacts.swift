import Accounts
import AppleIdentity
import Foundation

/// Facts about a PostgreSQL server and a database, read without changing anything.
package struct PostgreSQLFacts: Hashable, Sendable {
    /// The server's version, such as 150004.
    package var versionNumber = 0
    /// The database's encoding, such as `UTF8`.
    package var encoding = ""
    /// The database's collation, such as `C.UTF-8`.
    package var collation = ""
    /// Whether the system's collation version differs from the recorded one, so indexes may be wrong.
    package var isCollationOutdated = false
    /// The settings, by name, that make acknowledged changes survive a power cut.
    package var durability: [String: String] = [:]
    /// Whether the server is a standby, which is read-only.
    package var isStandby = false
    /// The TLS version; nil for a connection without TLS.
    package var tlsVersion: String?
    /// Whether the connection stays on this machine.
    package var isLocal = false
    /// How many more connections the server, the database and the user allow.
    package var connectionsLeft = 0
    /// The schema of the tables; nil when the search path contains no existing schema.
    package var schema: String?
    /// Whether the database user may create tables.
    package var mayCreateTables = false
    /// The tables of the schema that another database user owns.
    package var foreignTables: [String] = []
    /// The version of the tables; nil when they do not exist yet.
    package var schemaVersion: Int?
    /// Whether the database is an unfinished copy of another one.
    package var isUnfinishedCopy = false
    /// The secrets that the sealing keys do not decrypt; nil when they were not read.
    package var unopenedSecrets: UnopenedSecrets?
    /// Seconds by which the server's clock is ahead of this machine's.
    package var clockDifference: TimeInterval = 0

    /// The version of the tables that this program creates.
    package static var currentSchemaVersion: Int { PostgreSQLSchema.migrations.count }

    /// Creates facts with default values.
    package init() {}
}
