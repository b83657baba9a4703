/// The description of a metric.
package struct MetricDescription: Hashable, Sendable {
    /// The default upper bounds of a histogram's buckets, in seconds.
    package static let usualBuckets: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    package let name: String
    /// A sentence about the metric, for its `HELP` line.
    package let help: String
    /// The upper bounds of a histogram's buckets in ascending order, without infinity.
    package let buckets: [Double]

    package init(_ name: String, help: String, buckets: [Double] = usualBuckets) {
        self.name = name
        self.help = help
        self.buckets = buckets
    }
}

enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram
}
