import Accounts
import Foundation

/// Facts about a database file, found without changing anything.
package struct SQLiteFacts: Hashable, Sendable {
    /// The version of the file's tables, compared with this program's.
    package enum Schema: Hashable, Sendable {
        case current
        /// The next start migrates the tables.
        case older
        /// A newer version of the program has migrated the tables.
        case newer
    }

    /// The content of the file.
    package struct Content: Hashable, Sendable {
        /// The first problem that SQLite's quick check found, or `ok`.
        package var quickCheck: String
        package var schema: Schema
        /// Whether the file is an unfinished copy of another database.
        package var isUnfinishedCopy: Bool
        /// The secrets that the sealing keys do not decrypt; nil when they were not read.
        package var unopenedSecrets: UnopenedSecrets?

        package init(quickCheck: String, schema: Schema, isUnfinishedCopy: Bool) {
            self.quickCheck = quickCheck
            self.schema = schema
            self.isUnfinishedCopy = isUnfinishedCopy
        }
    }

    /// The file's absolute path.
    package var path: String
    /// The size of the file in bytes; nil when the file is missing.
    package var byteCount: Int?
    /// The file's POSIX permissions.
    package var fileMode: Int?
    /// The folder's POSIX permissions; nil when the folder is missing.
    package var folderMode: Int?
    /// Whether this process may write to the folder and to the file, if it exists.
    package var isWritable = false
    /// The process that has locked the file, as far as it can be found; nil when there is none.
    package var holder: String?
    /// Whether commits go to a write-ahead log.
    package var hasWriteAheadLog = false
    /// The free bytes on the file's disk.
    package var freeByteCount: Int?
    /// The content of the file, or why it cannot be read; nil when the file is missing.
    package var content: Result<Content, AccountStoreError>?
    /// The names of files in the same folder that migrations and unfinished backups left.
    package var leftovers: [String] = []

    /// Creates facts about a missing file.
    package init(path: String) {
        self.path = path
    }
}
