import CoreMetrics
import Foundation
import Synchronization

/// Counts refused requests of one kind, and selects those to log.
///
/// To log all of them would let a flood use up the server's processor and disk.
final class CountedRefusals: Sendable {
    /// The minimum time between two log lines, in seconds.
    static let logInterval: TimeInterval = 1

    private struct State {
        var loggedAt: Date?
        var suppressedCount = 0
    }

    private let counter: Counter
    private let state = Mutex(State())

    init(_ metrics: any MetricsFactory, label: String = "siwa_http_limited_total") {
        counter = Counter(label: label, factory: metrics)
    }

    /// Counts a request; returns the number of unlogged ones before it, or nil to log nothing.
    func count(now: Date) -> Int? {
        counter.increment()
        return state.withLock { state in
            if let last = state.loggedAt, abs(now.timeIntervalSince(last)) < Self.logInterval {
                state.suppressedCount += 1
                return nil
            }
            state.loggedAt = now
            defer { state.suppressedCount = 0 }
            return state.suppressedCount
        }
    }
}
