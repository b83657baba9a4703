import CoreMetrics

/// What is measured of the validation of refresh tokens: what Apple answered.
struct ValidationMeasures: Sendable {
    /// Apple honours the token.
    let valid: Counter
    /// Apple has ended it.
    let revoked: Counter
    /// Apple refused the request, which says nothing about the person.
    let refused: Counter
    /// Apple could not be asked.
    let failed: Counter

    init(_ metrics: any MetricsFactory) {
        func counter(_ outcome: String) -> Counter {
            Counter(
                label: "siwa_refresh_validations_total",
                dimensions: [("outcome", outcome)],
                factory: metrics
            )
        }
        valid = counter("valid")
        revoked = counter("revoked")
        refused = counter("refused")
        failed = counter("failed")
    }
}
