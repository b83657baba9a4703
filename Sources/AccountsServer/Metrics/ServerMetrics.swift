import CoreMetrics
import PrometheusMetrics

/// Where the server's measurements go, and who tells them at `GET /metrics`.
package struct ServerMetrics: Sendable {
    /// What makes the instruments.
    package let factory: any MetricsFactory
    let exposition: (@Sendable () -> String)?

    /// The backend that the program has given to `MetricsSystem`; `GET /metrics` answers 404.
    package static var system: ServerMetrics {
        ServerMetrics(factory: MetricsSystem.factory, exposition: nil)
    }

    /// A Prometheus server reads them at `GET /metrics`.
    package static func prometheus(_ metrics: PrometheusMetrics) -> ServerMetrics {
        ServerMetrics(factory: metrics, exposition: { metrics.exposition() })
    }
}
