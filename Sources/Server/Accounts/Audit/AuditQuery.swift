import Foundation

/// A query for audit log entries.
package struct AuditQuery: Hashable, Sendable {
    /// The maximum number of entries in a response.
    package static let maximumCount = 1000

    /// The account of the entries; nil for all accounts.
    package let account: AccountID?
    /// The entry after which the list starts; nil for the first entry.
    package private(set) var after: AuditID?
    /// The number of entries to return.
    package internal(set) var count: Int
    /// Whether the latest entries come first.
    package let isLatestFirst: Bool
    /// The action and the actor of the entries; nil for all.
    private let action: AuditAction?
    private let actor: AuditActor?
    /// Whether the entries about what an administrator only looked at are left out.
    private let hidesReads: Bool
    /// The entry before which all results are; nil for no limit.
    private(set) var before: AuditID?

    /// Creates a query, with `count` reduced to its limits.
    package init(
        account: AccountID? = nil,
        action: AuditAction? = nil,
        actor: AuditActor? = nil,
        after: AuditID? = nil,
        count: Int = 100,
        isLatestFirst: Bool = false,
        hidesReads: Bool = false
    ) {
        self.account = account
        (self.action, self.actor, self.hidesReads) = (action, actor, hidesReads)
        self.after = isLatestFirst ? nil : after
        self.count = min(max(count, 1), Self.maximumCount)
        self.isLatestFirst = isLatestFirst
    }

    /// Whether an entry has the action and the actor, which the store does not examine.
    func matches(_ entry: AuditEntry) -> Bool {
        if let actor, entry.actor != actor.rawValue { return false }
        guard let action else { return !hidesReads || !AuditAction.reads.contains(entry.action) }
        return entry.action == action.rawValue
    }

    /// The query for the entries that follow the last one of a batch.
    func continued(after last: AuditID) -> AuditQuery {
        var query = self
        if isLatestFirst { query.before = last } else { query.after = last }
        return query
    }
}
