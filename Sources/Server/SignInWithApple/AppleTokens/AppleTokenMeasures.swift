import CoreMetrics

/// The metrics of ``AppleTokens``.
struct AppleTokenMeasures: Sendable {
    /// The users about whose tokens Apple refuses requests.
    let refused: Gauge
    private let counters: [String: Counter]

    init(_ metrics: any MetricsFactory) {
        refused = Gauge(label: "siwa_apple_tokens_refused", factory: metrics)
        var counters: [String: Counter] = [:]
        for task in [TokenTask.validation, .revocation] {
            for outcome in ["done", "ended", "failed", "refused"] {
                counters["\(task.rawValue) \(outcome)"] = Counter(
                    label: "siwa_apple_token_requests_total",
                    dimensions: [("task", task.rawValue), ("outcome", outcome)],
                    factory: metrics
                )
            }
        }
        self.counters = counters
    }

    func count(_ outcome: TokenOutcome, of task: TokenTask) {
        let word =
            switch outcome {
            case .done: "done"
            case .ended: "ended"
            case .failed: "failed"
            case .refused, .unreadable: "refused"
            }
        counters["\(task.rawValue) \(word)"]?.increment()
    }
}
