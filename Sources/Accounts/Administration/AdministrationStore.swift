/// What an administrator asks of a store.
package protocol AdministrationStore: Sendable {
    /// Lists accounts in the order of their identifiers; returns the accounts; fewer than the maximum at the end.
    func accounts(after: AccountID?, maximumCount: Int) async throws(AccountStoreError) -> [Account]

    /// Seals some secrets again, by the rule of `ResealingBatch`; returns what came of it, and where to go on.
    func reseal(_ batch: ResealingBatch) async throws(AccountStoreError) -> ResealingStep

    /// Copies everything into one file, as it was at one moment; others may write meanwhile; after an error, there is
    /// no copy.
    func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport
}

extension AdministrationStore {
    /// A database server has its own programs for copies.
    package func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport {
        throw AccountStoreError(.failed, hint: "back up this database with PostgreSQL's own tools")
    }
}

/// Where a copy of a store goes.
package struct BackupOrder: Sendable {
    /// The file.
    package let path: String
    /// Whether a file that is there may be replaced.
    package let replaces: Bool
    /// Told how far the copy is, on any thread; what it throws ends the copy.
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

/// How far a copy is.
package struct BackupProgress: Hashable, Sendable {
    /// Pages that are copied.
    package let copiedPageCount: Int
    /// Pages there are.
    package let pageCount: Int

    /// Describes how far a copy is.
    package init(copiedPageCount: Int, pageCount: Int) {
        self.copiedPageCount = copiedPageCount
        self.pageCount = pageCount
    }
}

/// What a copy has; it was opened again and checked.
package struct BackupReport: Hashable, Sendable {
    /// Bytes of the file.
    package let byteCount: Int
    package let accountCount: Int

    /// Describes a copy.
    package init(byteCount: Int, accountCount: Int) {
        self.byteCount = byteCount
        self.accountCount = accountCount
    }
}
