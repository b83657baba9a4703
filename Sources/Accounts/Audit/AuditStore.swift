import Foundation

/// Where the audit log is kept: beside the accounts, in the transactions of what it tells of.
///
/// An entry is written once and never changed; only its age removes it.
package protocol AuditStore: Sendable {
    /// Writes entries that belong to no other change.
    func record(_ entries: [AuditEntry]) async throws(AccountStoreError)

    /// Lists entries by their names.
    func auditEntries(_ query: AuditQuery) async throws(AccountStoreError) -> [AuditEntry]

    /// Forgets old entries, each by its own time alone; returns how many are gone.
    func forgetAuditEntries(
        until limit: Date,
        maximumCount: Int
    ) async throws(AccountStoreError) -> Int
}

/// Which entries of the audit log somebody wants to see.
package struct AuditQuery: Hashable, Sendable {
    /// How many entries one answer may have.
    package static let maximumCount = 1000

    /// The account that they are about; nil for all.
    package let account: AccountID?
    /// The entry behind which the list begins; nil for the beginning.
    package let after: AuditID?
    /// How many entries the answer may have.
    package let count: Int
    /// Whether the latest entries come first.
    package let isLatestFirst: Bool

    /// Makes a query; a count out of its limits is brought into them.
    package init(
        account: AccountID? = nil,
        after: AuditID? = nil,
        count: Int = 100,
        isLatestFirst: Bool = false
    ) {
        self.account = account
        self.after = isLatestFirst ? nil : after
        self.count = min(max(count, 1), Self.maximumCount)
        self.isLatestFirst = isLatestFirst
    }
}
