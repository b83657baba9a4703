import Foundation

/// What is left in the outbox.
public struct RevocationBacklog: Hashable, Sendable {
    /// How many entries wait for an attempt.
    public let waitingCount: Int
    /// How many entries were refused for good and wait for a person.
    public let refusedCount: Int
    /// When the oldest entry was made.
    public let oldestCreatedAt: Date?
    /// The errors that stand on the entries, and on how many each.
    public let errorCounts: [String: Int]

    /// Makes a count.
    public init(
        waitingCount: Int,
        refusedCount: Int,
        oldestCreatedAt: Date?,
        errorCounts: [String: Int]
    ) {
        self.waitingCount = waitingCount
        self.refusedCount = refusedCount
        self.oldestCreatedAt = oldestCreatedAt
        self.errorCounts = errorCounts
    }
}
