import CoreMetrics

/// Counts access tokens and introspections.
final class TokenMeasures: Sendable {
    enum Introspection: String, CaseIterable, Sendable {
        case active, inactive, refused
    }

    private let tokens: Counter
    private let introspections: [Counter]

    init(_ metrics: any MetricsFactory) {
        tokens = Counter(label: "siwa_access_tokens_total", factory: metrics)
        introspections = Introspection.allCases.map { outcome in
            let dimensions = [("outcome", outcome.rawValue)]
            return Counter(
                label: "siwa_introspections_total",
                dimensions: dimensions,
                factory: metrics
            )
        }
    }

    func countToken() { tokens.increment() }

    func count(_ outcome: Introspection) {
        for (other, counter) in zip(Introspection.allCases, introspections) where other == outcome {
            counter.increment()
        }
    }
}
