import CoreMetrics

/// What is measured of the accounts and their store.
struct AccountsMeasures: Sendable {
    /// Sessions that were found in memory.
    let rememberedSessions: Counter
    /// Sessions that the store was asked for.
    let lookedUpSessions: Counter
    private let unavailable: Counter
    private let outcomeUnknown: Counter
    private let failed: Counter

    init(_ metrics: any MetricsFactory) {
        func counter(_ label: String, _ dimension: (String, String)) -> Counter {
            Counter(label: label, dimensions: [dimension], factory: metrics)
        }
        let lookups = "siwa_session_lookups_total"
        rememberedSessions = counter(lookups, ("source", "memory"))
        lookedUpSessions = counter(lookups, ("source", "store"))
        let failures = "siwa_store_failures_total"
        unavailable = counter(failures, ("kind", "unavailable"))
        outcomeUnknown = counter(failures, ("kind", "outcome_unknown"))
        failed = counter(failures, ("kind", "failed"))
    }

    /// Notes that the store could not do what it was asked.
    func count(_ failure: AccountStoreError) {
        switch failure.kind {
        case .unavailable: unavailable.increment()
        case .outcomeUnknown: outcomeUnknown.increment()
        case .failed: failed.increment()
        }
    }
}
