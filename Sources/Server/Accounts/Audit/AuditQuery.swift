import Foundation

/// A query for audit log entries.
package struct AuditQuery: Hashable, Sendable {
    /// The maximum number of entries in a response.
    package static let maximumCount = 1000

    /// The account of the entries; nil for all accounts.
    package let account: AccountID?
    /// The entry after which the list starts; nil for the first entry.
    package let after: AuditID?
    /// The number of entries to return.
    package internal(set) var count: Int
    /// Whether the latest entries come first.
    package let isLatestFirst: Bool

    /// Creates a query, with `count` reduced to its limits.
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
