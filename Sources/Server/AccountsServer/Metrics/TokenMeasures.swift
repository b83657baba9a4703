import CoreMetrics

/// Counts access tokens, and introspections by their outcome.
struct TokenMeasures: Sendable {
    let tokens: Counter
    let active: Counter
    let inactive: Counter
    let refused: Counter

    init(_ metrics: any MetricsFactory) {
        func introspections(_ outcome: String) -> Counter {
            let dimensions = [("outcome", outcome)]
            let label = "siwa_introspections_total"
            return Counter(label: label, dimensions: dimensions, factory: metrics)
        }
        tokens = Counter(label: "siwa_access_tokens_total", factory: metrics)
        active = introspections("active")
        inactive = introspections("inactive")
        refused = introspections("refused")
    }
}
