import CoreMetrics

/// Counts access tokens and introspections.
final class TokenMeasures: Sendable {
    enum Introspection: String, CaseIterable, Sendable {
        case active, inactive, refused
    }

    private let tokens: [String: Counter]
    private let introspections: [Introspection: Counter]

    init(_ audiences: TokenAudiences, _ metrics: any MetricsFactory) {
        func counters<Value: Hashable>(
            _ label: String,
            _ dimension: String,
            _ values: some Sequence<Value>,
            _ name: (Value) -> String
        ) -> [Value: Counter] {
            Dictionary(
                uniqueKeysWithValues: values.map { value in
                    let dimensions = [(dimension, name(value))]
                    return (value, Counter(label: label, dimensions: dimensions, factory: metrics))
                }
            )
        }
        tokens = counters("siwa_access_tokens_total", "audience", audiences.names) { $0 }
        introspections = counters(
            "siwa_introspections_total",
            "outcome",
            Introspection.allCases,
            \.rawValue
        )
    }

    func countToken(for audience: String) { tokens[audience]?.increment() }

    func countIntrospection(_ outcome: Introspection) { introspections[outcome]?.increment() }
}
