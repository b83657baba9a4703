import Foundation

/// Store operations for administrators.
package protocol AdministrationStore: Sendable {
    /// Returns accounts in the order of their identifiers; fewer than the maximum at the end.
    func accounts(after: AccountID?, maximumCount: Int) async throws(AccountStoreError) -> [Account]

    /// Returns the accounts whose username, email address or Apple identifier is this text, found by indices.
    func namedAccounts(_ text: String, maximumCount: Int) async throws(AccountStoreError)
        -> [Account]

    /// Returns the secrets after a position, in the order of resealing; fewer than the maximum at the end.
    func sealedValues(
        after: ResealingPosition?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [SealedValue]

    /// Encrypts a batch of secrets again, by the rule of `ResealingBatch`, and returns its result.
    func reseal(_ batch: ResealingBatch) async throws(AccountStoreError) -> ResealingStep

    /// Returns the sealing keys of the servers of a shared database that have recorded them since a time.
    func sealingKeys(recordedSince: Date) async throws(AccountStoreError) -> [[String]]

    /// Backs up a snapshot of the database to one file while other writes continue; leaves no file after an error.
    func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport
}

extension AdministrationStore {
    /// Throws, because a database server has its own backup tools.
    package func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport {
        throw AccountStoreError(.failed, hint: "back up this database with PostgreSQL's own tools")
    }
}

/// The target and options of a database backup.
package struct BackupOrder: Sendable {
    /// The path of the file.
    package let path: String
    /// Whether an existing file may be replaced.
    package let replaces: Bool
    /// Receives the progress, on any thread; an error that it throws cancels the backup.
    package let progress: @Sendable (BackupProgress) throws -> Void

    package init(
        path: String,
        replaces: Bool,
        progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
    ) {
        self.path = path
        self.replaces = replaces
        self.progress = progress
    }
}

/// The progress of a backup.
package struct BackupProgress: Hashable, Sendable {
    /// The number of copied pages.
    package let copiedPageCount: Int
    /// The number of all pages.
    package let pageCount: Int

    package init(copiedPageCount: Int, pageCount: Int) {
        self.copiedPageCount = copiedPageCount
        self.pageCount = pageCount
    }
}

/// The content of a finished backup, which was opened again and checked.
package struct BackupReport: Hashable, Sendable {
    /// The size of the file in bytes.
    package let byteCount: Int
    package let accountCount: Int

    package init(byteCount: Int, accountCount: Int) {
        self.byteCount = byteCount
        self.accountCount = accountCount
    }
}
