import Foundation

/// How often unknown keys are looked for at Apple: five times at once, then every twelve seconds.
///
/// Anybody can invent the name of a key. One junk token must neither cost a request each time, nor
/// keep people out for long whose tokens carry a key that Apple published since.
struct LookBudget {
    /// The most looks at once.
    static let maximumCount = 5
    /// The time in which one more look is allowed, in seconds.
    static let intervalSeconds: TimeInterval = 12

    private static let fillSeconds = TimeInterval(maximumCount) * intervalSeconds

    /// When no look counts any more.
    private var fullAt = Date.distantPast

    /// Takes a look; false when none is left.
    mutating func take(at now: Date) -> Bool {
        guard nextLook(at: now) <= now else { return false }
        fullAt = max(fullAt, now).addingTimeInterval(Self.intervalSeconds)
        return true
    }

    /// From when the next look is allowed.
    mutating func nextLook(at now: Date) -> Date {
        // A clock that was set back must not put the next look off.
        fullAt = min(fullAt, now.addingTimeInterval(Self.fillSeconds))
        return fullAt.addingTimeInterval(Self.intervalSeconds - Self.fillSeconds)
    }
}
