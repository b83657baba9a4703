import CoreMetrics
import Foundation
import Synchronization

/// Counts the requests that are refused unseen, and picks those that the log tells of: with lines about all of them a flood
/// would take the server's processor and disk after all.
final class LimitedRequests: Sendable {
    /// Seconds between two lines of the log.
    static let logInterval: TimeInterval = 1

    private struct State {
        var loggedAt: Date?
        var untoldCount = 0
    }

    private let counter: Counter
    private let state = Mutex(State())

    init(_ metrics: any MetricsFactory) {
        counter = Counter(label: "siwa_http_limited_total", factory: metrics)
    }

    /// Counts one more; returns how many the log was not told of since its last line, nil when it gets no line now.
    func count(now: Date) -> Int? {
        counter.increment()
        return state.withLock { state in
            if let last = state.loggedAt, abs(now.timeIntervalSince(last)) < Self.logInterval {
                state.untoldCount += 1
                return nil
            }
            state.loggedAt = now
            defer { state.untoldCount = 0 }
            return state.untoldCount
        }
    }
}
