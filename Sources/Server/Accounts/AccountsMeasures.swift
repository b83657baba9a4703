import CoreMetrics

/// The metrics of the accounts and their store.
struct AccountsMeasures: Sendable {
    /// Session lookups that memory served.
    let rememberedSessions: Counter
    /// Session lookups that read the store.
    let lookedUpSessions: Counter
    /// The stored secrets that no key decrypts.
    let undecryptableSecrets: Meter
    /// Seconds by which this clock is ahead of the database's or Apple's.
    let clockDifference: Meter
    /// New accounts of users whose transfer identifier is unknown.
    let unknownTransfers: Counter
    private let failures: [AccountStoreError.Kind: Counter]

    init(_ metrics: any MetricsFactory) {
        func counter(_ label: String, _ dimension: (String, String)) -> Counter {
            Counter(label: label, dimensions: [dimension], factory: metrics)
        }
        let lookups = "siwa_session_lookups_total"
        rememberedSessions = counter(lookups, ("source", "memory"))
        lookedUpSessions = counter(lookups, ("source", "store"))
        undecryptableSecrets = Meter(label: "siwa_undecryptable_secrets", factory: metrics)
        clockDifference = Meter(label: "siwa_clock_difference_seconds", factory: metrics)
        unknownTransfers = Counter(label: "siwa_unknown_transfers_total", factory: metrics)
        let label = "siwa_store_failures_total"
        failures = [
            .unavailable: counter(label, ("kind", "unavailable")),
            .outcomeUnknown: counter(label, ("kind", "outcome_unknown")),
            .failed: counter(label, ("kind", "failed")),
        ]
    }

    /// Counts a failed store operation.
    func count(_ failure: AccountStoreError) { failures[failure.kind]?.increment() }
}
