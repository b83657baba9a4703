import Foundation

/// How often unknown keys are fetched from Apple: a burst of five, then one every twelve seconds.
///
/// Anybody can invent a key identifier. Junk tokens must neither cost a request each, nor keep out for
/// long the people whose tokens carry a key that Apple has published since.
struct KeyFetchBudget {
    /// The largest burst.
    static let maximumCount = 5
    /// The time after which one more fetch is allowed, in seconds.
    static let intervalSeconds: TimeInterval = 12

    private static let fillSeconds = TimeInterval(maximumCount) * intervalSeconds

    /// When the budget is full again.
    private var fullAt = Date.distantPast

    /// Takes one fetch; false when none is left.
    mutating func take(at now: Date) -> Bool {
        guard nextFetch(at: now) <= now else { return false }
        fullAt = max(fullAt, now).addingTimeInterval(Self.intervalSeconds)
        return true
    }

    /// When the next fetch is allowed.
    mutating func nextFetch(at now: Date) -> Date {
        // A clock that was set back must not postpone the next fetch.
        fullAt = min(fullAt, now.addingTimeInterval(Self.fillSeconds))
        return fullAt.addingTimeInterval(Self.intervalSeconds - Self.fillSeconds)
    }
}
