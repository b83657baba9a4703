import Accounts
import AppleIdentity
import Foundation

/// What a PostgreSQL server tells of itself and of a database, without anything being changed.
package struct PostgreSQLFacts: Hashable, Sendable {
    /// The server's version, such as 150004.
    package var versionNumber = 0
    /// How texts are stored.
    package var encoding = ""
    /// How texts are sorted.
    package var collation = ""
    /// Whether the system's rules of sorting are others than when the indexes were made.
    package var isCollationOutdated = false
    /// Settings without which a power cut may lose what was acknowledged.
    package var durability: [String: String] = [:]
    /// Whether the server is a standby, which can't be written to.
    package var isStandby = false
    /// The version of TLS; nil when the connection has none.
    package var tlsVersion: String?
    /// Whether the connection stays on this machine.
    package var isLocal = false
    /// How many more connections server, database and user may have.
    package var connectionsLeft = 0
    /// The schema in which the tables are; nil when there is none.
    package var schema: String?
    /// Whether the user may make tables.
    package var mayCreateTables = false
    /// Tables of the schema that belong to somebody else.
    package var foreignTables: [String] = []
    /// The version of the tables; nil when there are none yet.
    package var schemaVersion: Int?
    /// Whether the database is half of another one.
    package var isUnfinishedCopy = false
    /// Seconds by which the server's clock is ahead of this machine's.
    package var clockDifference: TimeInterval = 0

    /// The version of the tables that this program makes.
    package static var currentSchemaVersion: Int { PostgreSQLSchema.migrations.count }

    /// Facts to begin with, for tests.
    package init() {}
}
