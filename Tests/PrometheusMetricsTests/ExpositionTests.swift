import CoreMetrics
import Testing

@testable import PrometheusMetrics

@Suite("The Prometheus exposition text")
struct ExpositionTests {
    private let metrics = PrometheusMetrics(descriptions: [
        MetricDescription("requests_total", help: "Requests\nby \\ and \"route\"."),
        MetricDescription("wait_seconds", help: "Waits.", buckets: [0.1, 1]),
    ])

    /// The text without the count of dropped series, which is always there.
    private var lines: [Substring] {
        metrics.exposition().split(separator: "\n").filter {
            !$0.contains(PrometheusMetrics.droppedName)
        }
    }

    @Test("has a header for each name and a line for each series") func counters() {
        let home = Counter(
            label: "requests_total",
            dimensions: [("route", "/"), ("method", "GET")],
            factory: metrics
        )
        let other = Counter(label: "requests_total", factory: metrics)
        home.increment(by: 2)
        home.increment()
        other.increment(by: -1)
        #expect(
            lines == [
                "# HELP requests_total Requests\\nby \\\\ and \"route\".",
                "# TYPE requests_total counter",
                "requests_total 0",
                "requests_total{method=\"GET\",route=\"/\"} 3",
            ]
        )
    }

    @Test("ends each line, and initially has only the count of dropped series")
    func empty() {
        let text = PrometheusMetrics().exposition()
        #expect(text.hasSuffix("metrics_dropped_series 0\n"))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).last == "")
        #expect(lines.isEmpty)
    }

    @Test("escapes the values of labels")
    func escaping() {
        let value = "a\\b\"c\nd"
        Counter(label: "odd", dimensions: [("value", value)], factory: metrics).increment()
        #expect(lines.last == "odd{value=\"a\\\\b\\\"c\\nd\"} 1")
    }

    @Test("has names of only letters, digits and _") func names() {
        Counter(label: "http.requests-total é:1", dimensions: [("a:b", "x")], factory: metrics)
            .increment()
        Meter(label: "2xx", factory: metrics).set(1)
        #expect(lines.contains("http_requests_total__:1{a_b=\"x\"} 1"))
        #expect(lines.contains("_2xx 1"))
    }

    @Test("counts in cumulative buckets, with sum and count") func histogram() {
        let waits = Timer(label: "wait_seconds", dimensions: [("kind", "a")], factory: metrics)
        waits.recordMilliseconds(50)
        waits.recordMilliseconds(100)
        waits.recordSeconds(0.5)
        waits.recordSeconds(3)
        waits.recordNanoseconds(-5)
        #expect(
            lines == [
                "# HELP wait_seconds Waits.",
                "# TYPE wait_seconds histogram",
                "wait_seconds_bucket{kind=\"a\",le=\"0.1\"} 3",
                "wait_seconds_bucket{kind=\"a\",le=\"1\"} 4",
                "wait_seconds_bucket{kind=\"a\",le=\"+Inf\"} 5",
                "wait_seconds_sum{kind=\"a\"} 3.65",
                "wait_seconds_count{kind=\"a\"} 5",
            ]
        )
    }

    @Test(
        "writes numbers in the format's syntax",
        arguments: [
            (0, "0"), (-3, "-3"), (1.5, "1.5"), (1e15, "1000000000000000"), (0.00005, "5e-05"),
            (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        ] as [(Double, String)]
    )
    func numbers(_ value: Double, _ text: String) {
        #expect(ExpositionText.number(value) == text)
    }

    @Test("supports gauges, recorders of both kinds, and floating-point counters") func others() {
        let gauge = Meter(label: "gauge", factory: metrics)
        gauge.set(5)
        gauge.increment(by: 2)
        gauge.decrement(by: 3)
        Gauge(label: "last", factory: metrics).record(0.25)
        Recorder(label: "all", factory: metrics).record(0.25)
        let fractions = FloatingPointCounter(label: "fractions", factory: metrics)
        fractions.increment(by: 0.25)
        fractions.increment(by: Double.infinity)
        for line in ["gauge 4", "last 0.25", "all_sum 0.25", "all_count 1", "fractions 0.25"] {
            #expect(lines.contains(line[...]))
        }
    }
}
