import CoreMetrics

/// The metrics of the outbox: the outcomes of attempts.
struct OutboxMeasures: Sendable {
    private struct Outcomes {
        let done: Counter
        let expired: Counter
        let failed: Counter
        let refused: Counter
    }

    private let outcomes: [OutboxTask.Kind: Outcomes]

    init(_ metrics: any MetricsFactory) {
        func counter(_ kind: OutboxTask.Kind, _ outcome: String) -> Counter {
            Counter(
                label: "siwa_outbox_attempts_total",
                dimensions: [("kind", kind.rawValue), ("outcome", outcome)],
                factory: metrics
            )
        }
        outcomes = Dictionary(
            uniqueKeysWithValues: OutboxTask.Kind.allCases.map { kind in
                let outcomes = Outcomes(
                    done: counter(kind, "done"),
                    expired: counter(kind, "expired"),
                    failed: counter(kind, "failed"),
                    refused: counter(kind, "refused")
                )
                return (kind, outcomes)
            }
        )
    }

    func count(_ result: OutboxResult, of kind: OutboxTask.Kind) {
        guard let outcomes = outcomes[kind] else { return }
        switch result {
        case .done: outcomes.done.increment()
        case .expired: outcomes.expired.increment()
        case .failed: outcomes.failed.increment()
        case .refused: outcomes.refused.increment()
        }
    }
}
