import Foundation

/// One worker's overrides for entries of the outbox that are due.
public struct RevocationClaim: Hashable, Sendable {
    /// The worker's own name.
    public let worker: String
    /// How many entries it can take.
    public let maximumCount: Int
    /// The time.
    public let now: Date
    /// Until when nobody else may take them.
    public let until: Date

    /// Makes a claim.
    public init(worker: String, maximumCount: Int, now: Date, until: Date) {
        self.worker = worker
        self.maximumCount = maximumCount
        self.now = now
        self.until = until
    }
}
