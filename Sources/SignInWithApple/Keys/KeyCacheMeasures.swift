import CoreMetrics
import Foundation

/// What is measured of Apple's keys.
struct KeyCacheMeasures: Sendable {
    /// Tokens whose key was known and fresh.
    let hits: Counter
    /// Requests for the keys that failed.
    let failures: Counter
    private let fetches: Counter
    private let fetchedAt: Meter

    init(_ metrics: any MetricsFactory) {
        hits = Counter(label: "siwa_apple_key_hits_total", factory: metrics)
        let fetches = "siwa_apple_key_fetches_total"
        self.fetches = Counter(label: fetches, dimensions: [("outcome", "ok")], factory: metrics)
        failures = Counter(
            label: fetches,
            dimensions: [("outcome", "failed")],
            factory: metrics
        )
        fetchedAt = Meter(label: "siwa_apple_keys_fetched_timestamp_seconds", factory: metrics)
    }

    /// Notes that Apple has answered.
    func renewed(at now: Date) {
        fetches.increment()
        fetchedAt.set(now.timeIntervalSince1970)
    }
}
