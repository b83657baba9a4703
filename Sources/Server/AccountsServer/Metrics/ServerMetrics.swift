import CoreMetrics
import PrometheusMetrics

/// The metrics backend, and the text for `GET /metrics`.
package struct ServerMetrics: Sendable {
    package let factory: any MetricsFactory
    let exposition: (@Sendable () -> String)?

    /// The backend of `MetricsSystem`; `GET /metrics` responds with 404.
    package static var system: ServerMetrics {
        ServerMetrics(factory: MetricsSystem.factory, exposition: nil)
    }

    /// A Prometheus backend that `GET /metrics` exposes.
    package static func prometheus(_ metrics: PrometheusMetrics) -> ServerMetrics {
        ServerMetrics(factory: metrics, exposition: { metrics.exposition() })
    }
}
