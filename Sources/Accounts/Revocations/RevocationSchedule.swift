import Foundation

/// When the outbox is worked on.
public struct RevocationSchedule: Hashable, Sendable {
    /// Seconds before the second attempt; each further wait is twice as long.
    public var firstDelay: TimeInterval = 1
    /// Seconds that a wait never exceeds.
    public var maximumDelay: TimeInterval = 300
    /// Seconds between two looks at the outbox.
    public var pollInterval: TimeInterval = 2
    /// Seconds after which entries that were refused get another attempt.
    public var refusedInterval: TimeInterval = 6 * 3600
    /// Seconds for which a worker keeps entries to itself; far longer than an attempt takes.
    public var claimDuration: TimeInterval = 120
    /// How many entries are worked on at once.
    public var maximumBatchCount = 8

    /// Makes a schedule with its usual values.
    public init() {}

    /// Computes the wait after an attempt that failed.
    ///
    /// - Parameter attemptCount: how many attempts have failed, this one included.
    /// - Returns: seconds.
    public func delay(afterAttempts attemptCount: Int) -> TimeInterval {
        // Beyond this exponent the limit holds anyway, and the power stays finite.
        let exponent = min(max(attemptCount - 1, 0), 60)
        return min(firstDelay * pow(2, Double(exponent)), maximumDelay)
    }
}
