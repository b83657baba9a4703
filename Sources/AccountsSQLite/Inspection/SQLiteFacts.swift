import Accounts
import Foundation

/// What can be told of a database file from outside, without changing anything.
package struct SQLiteFacts: Hashable, Sendable {
    /// How the file's tables stand to those of this program.
    package enum Schema: Hashable, Sendable {
        case current
        /// The next start changes the tables.
        case older
        /// A newer program has changed the tables.
        case newer
    }

    /// What is in the file.
    package struct Content: Hashable, Sendable {
        /// What SQLite's quick check found; `ok` when that is nothing.
        package var quickCheck: String
        package var schema: Schema
        /// Whether the file is half of another database.
        package var isUnfinishedCopy: Bool

        package init(quickCheck: String, schema: Schema, isUnfinishedCopy: Bool) {
            self.quickCheck = quickCheck
            self.schema = schema
            self.isUnfinishedCopy = isUnfinishedCopy
        }
    }

    /// The file's absolute path.
    package var path: String
    /// Bytes of the file; nil when there is none.
    package var byteCount: Int?
    /// Who may do what with the file.
    package var fileMode: Int?
    /// Who may do what in its folder; nil when there is none.
    package var folderMode: Int?
    /// Whether this process may write to the folder, and to the file when there is one.
    package var isWritable = false
    /// The process that has the file's lock, as far as it can be told; nil when none has.
    package var holder: String?
    /// Whether commits go to a write-ahead log.
    package var hasWriteAheadLog = false
    /// Bytes that are free on the file's disk.
    package var freeByteCount: Int?
    /// What is in the file, or why it can't be read; nil when there is no file.
    package var content: Result<Content, AccountStoreError>?
    /// Names of copies beside the file that updates and unfinished copies have left.
    package var leftovers: [String] = []

    /// Facts to begin with, for tests.
    package init(path: String) {
        self.path = path
    }
}
