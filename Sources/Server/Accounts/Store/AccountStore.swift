import Foundation

/// The accounts in a database.
///
/// A method that decides is one durable transaction: it reads the facts of a rule together, calls the pure function
/// that decides, and applies the writes. The store has no rules of its own, reads no clock and creates no random
/// values. Times are whole microseconds.
package struct AccountStore: Sendable {
    /// The database; the stores of both databases pass the same conformance suite.
    package let database: any SQLDatabase

    package init(_ database: any SQLDatabase) {
        self.database = database
    }

    /// The load of the database; reading it is cheap and does not wait.
    package var load: StoreLoad { database.load }

    /// Closes the database; the store cannot be used afterwards.
    package func close() throws {
        try database.close()
    }

    /// Removes copies of deleted rows, for example from the database's log.
    package func wipeTraces() async throws(AccountStoreError) {
        try await database.wipeTraces()
    }

    /// Backs up a snapshot of the database to one file while other writes continue; leaves no file after an error.
    package func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport {
        try await database.backUp(order)
    }
}

/// The order of identifiers that cannot be guessed.
package enum IdentifierOrder: Hashable, Sendable {
    /// Rows created at the same time share pages: for a database that flushes pages and writes one transaction at a
    /// time.
    case byTime
    /// Rows created at the same time are in different pages: for a database whose transactions block each other on a
    /// page.
    case random
}
