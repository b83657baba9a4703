import AccountsServer
import CoreMetrics
import PrometheusMetrics

/// The program's metrics, which a Prometheus server reads from the accounts server.
enum ProgramMetrics {
    /// Makes them the ones of the whole process; a process has one accounts server.
    static func bootstrap() -> ServerMetrics {
        let metrics = PrometheusMetrics(descriptions: MetricsCatalogue.descriptions)
        MetricsSystem.bootstrap(metrics)
        return .prometheus(metrics)
    }
}
