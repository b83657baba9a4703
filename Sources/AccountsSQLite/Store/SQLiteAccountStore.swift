import Accounts
import Foundation
import GRDB

/// Accounts in an SQLite file.
///
/// One connection on one serial queue does all the work with cached statements: for queries as small as
/// these, handing them to a pool of readers costs more than the queries. Each commit is flushed to disk
/// before it is acknowledged.
public struct SQLiteAccountStore: AccountStore {
    /// Seconds a statement waits for another process's lock before the store counts as unavailable.
    public static let busyTimeout: TimeInterval = 2

    /// Tests make this connection fail, and look at what is stored.
    package let queue: DatabaseQueue

    /// Opens a file, or makes it, and brings its tables up to date.
    ///
    /// - Parameter path: the file; a new one is readable by its owner alone.
    /// - Throws: `AccountStoreError` when it can't be opened, or can't be made durable.
    public init(path: String) throws(AccountStoreError) {
        try self.init(path: path, busyTimeout: Self.busyTimeout)
    }

    package init(path: String, busyTimeout: TimeInterval) throws(AccountStoreError) {
        do {
            Self.createPrivately(path)
            var configuration = Configuration()
            configuration.label = "accounts"
            configuration.journalMode = .wal
            configuration.foreignKeysEnabled = true
            configuration.busyMode = .timeout(busyTimeout)
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction(Self.secure)
            try AccountsSchema.migrator.migrate(queue)
        } catch {
            throw AccountStoreError(error)
        }
    }

    /// Finds out whether the file can be read.
    public func checkReadiness() async throws(AccountStoreError) {
        try await connected { database in
            _ = try Int.fetchOne(
                try database.cachedStatement(sql: "SELECT 1 FROM sessions LIMIT 1")
            )
        }
    }

    /// Closes the file; the store can't be used afterwards.
    package func close() throws {
        try queue.close()
    }

    /// GRDB sets `synchronous` to NORMAL itself when it turns the journal to WAL, so that FULL is set
    /// after opening, and what is really in force is read back.
    ///
    /// Deleted rows are overwritten: a deleted person's name must not stay in the file's free pages.
    private static func secure(_ database: Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
        let full = 2
        guard
            try Int.fetchOne(database, sql: "PRAGMA synchronous") == full,
            try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal",
            try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") == true
        else {
            throw AccountStoreError(
                .failed,
                hint: "SQLite did not accept synchronous FULL, a write-ahead log or foreign keys"
            )
        }
    }

    /// SQLite gives its companion files the permissions of the main one.
    private static func createPrivately(_ path: String) {
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { return }
        // When this fails, opening fails too and says why.
        _ = files.createFile(
            atPath: path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
    }
}

extension SQLiteAccountStore {
    /// Runs single statements, each of which is a transaction of its own.
    func connected<Answer: Sendable>(
        _ work: @Sendable (Database) throws -> Answer
    ) async throws(AccountStoreError) -> Answer {
        do {
            return try await queue.writeWithoutTransaction(work)
        } catch {
            throw AccountStoreError(error)
        }
    }

    /// Runs a transaction that has the write lock from its start, so that it never has to be retried.
    func transaction<Answer: Sendable>(
        _ work: @Sendable (Database) throws -> Answer
    ) async throws(AccountStoreError) -> Answer {
        try await connected { database in
            try Self.transaction(in: database) { try work(database) }
        }
    }

    static func transaction<Answer>(
        in database: Database,
        _ work: () throws -> Answer
    ) throws -> Answer {
        var answer: Answer?
        try database.inTransaction(.immediate) {
            answer = try work()
            return .commit
        }
        guard let answer else {
            throw AccountStoreError(.failed, hint: "a transaction ended without an answer")
        }
        return answer
    }
}
