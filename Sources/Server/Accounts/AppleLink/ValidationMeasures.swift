import CoreMetrics

/// The metrics of the validation of refresh tokens: the outcomes at Apple.
struct ValidationMeasures: Sendable {
    /// The token is valid.
    let valid: Counter
    /// Apple has revoked the token.
    let revoked: Counter
    /// Apple refused the request, which says nothing about the token.
    let refused: Counter
    /// Apple could not be reached.
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
