import CoreMetrics

/// The metrics of the outbox: the outcomes of attempts.
struct OutboxMeasures: Sendable {
    private let counters: [OutboxTask.Kind: [String: Counter]]

    init(_ metrics: any MetricsFactory) {
        func counter(_ kind: OutboxTask.Kind, _ outcome: String) -> (String, Counter) {
            let dimensions = [("kind", kind.rawValue), ("outcome", outcome)]
            let label = "siwa_outbox_attempts_total"
            return (outcome, Counter(label: label, dimensions: dimensions, factory: metrics))
        }
        let outcomes = ["done", "expired", "failed", "refused"]
        counters = Dictionary(
            uniqueKeysWithValues: OutboxTask.Kind.allCases.map { kind in
                (kind, Dictionary(uniqueKeysWithValues: outcomes.map { counter(kind, $0) }))
            }
        )
    }

    func count(_ result: OutboxResult, of kind: OutboxTask.Kind) {
        let outcome =
            switch result {
            case .done: "done"
            case .expired: "expired"
            case .failed: "failed"
            case .refused: "refused"
            }
        counters[kind]?[outcome]?.increment()
    }
}
