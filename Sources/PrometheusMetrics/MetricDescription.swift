/// What a metric tells, for whoever reads it.
package struct MetricDescription: Hashable, Sendable {
    /// The upper bounds of a histogram's buckets unless it has others, in seconds.
    package static let usualBuckets: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The name by which it is measured and told.
    package let name: String
    /// A sentence.
    package let help: String
    /// The upper bounds of a histogram's buckets, rising; the last one, infinity, is added.
    package let buckets: [Double]

    package init(_ name: String, help: String, buckets: [Double] = usualBuckets) {
        self.name = name
        self.help = help
        self.buckets = buckets
    }
}

/// What Prometheus calls a type.
enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram
}
