/// What an administrator asks of a store.
package protocol AdministrationStore: Sendable {
    /// Lists accounts in the order of their identifiers.
    ///
    /// - Parameters:
    ///   - after: the account behind which the list begins; nil for the beginning.
    ///   - maximumCount: how many accounts the list may have.
    /// - Returns: the accounts; fewer than the maximum at the end.
    /// - Throws: `AccountStoreError`.
    func accounts(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [Account]

    /// Seals some secrets again, by the rule of `ResealingBatch`.
    ///
    /// - Parameter batch: where to go on, and how many to look at.
    /// - Returns: what came of it, and where to go on.
    /// - Throws: `AccountStoreError`.
    func reseal(_ batch: ResealingBatch) async throws(AccountStoreError) -> ResealingStep

    /// Copies everything into one file, as it was at one moment; others may write meanwhile.
    ///
    /// - Parameter order: where the copy goes.
    /// - Returns: what the copy has.
    /// - Throws: `AccountStoreError`; then there is no copy.
    func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport
}

extension AdministrationStore {
    /// A database server has its own programs for copies.
    package func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport {
        throw AccountStoreError(.failed, hint: "this database is copied by its own programs")
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

    /// Makes an order.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - replaces: whether a file that is there may be replaced.
    ///   - progress: told how far the copy is; what it throws ends the copy.
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
    /// Accounts in it.
    package let accountCount: Int

    /// Describes a copy.
    package init(byteCount: Int, accountCount: Int) {
        self.byteCount = byteCount
        self.accountCount = accountCount
    }
}
