import CoreMetrics
import Testing

@testable import PrometheusMetrics

@Suite("The registry of metrics")
struct RegistryTests {
    private func count(_ metrics: PrometheusMetrics, _ line: String) -> Int {
        metrics.exposition().split(separator: "\n").count { $0 == line }
    }

    @Test("has one series of a name and the same labels, in whatever order") func same() {
        let metrics = PrometheusMetrics()
        let labels = [("a", "1"), ("b", "2")]
        Counter(label: "c", dimensions: labels, factory: metrics).increment()
        Counter(label: "c", dimensions: labels.reversed(), factory: metrics).increment()
        #expect(count(metrics, "c{a=\"1\",b=\"2\"} 2") == 1)
    }

    @Test("keeps a name of one type, and counts what it drops") func otherType() {
        let metrics = PrometheusMetrics()
        Counter(label: "c", factory: metrics).increment()
        let meter = Meter(label: "c", factory: metrics)
        meter.set(9)
        FloatingPointCounter(label: "c", factory: metrics).increment(by: 9)
        #expect(count(metrics, "c 1") == 1)
        #expect(count(metrics, "# TYPE c counter") == 1)
        #expect(count(metrics, "metrics_dropped_series 2") == 1)
    }

    @Test("holds so many series and no more") func limit() {
        let metrics = PrometheusMetrics(descriptions: [], maximumSeriesCount: 2)
        for number in 1...5 {
            Counter(label: "c", dimensions: [("n", "\(number)")], factory: metrics).increment()
        }
        #expect(count(metrics, "c{n=\"2\"} 1") == 1)
        #expect(count(metrics, "c{n=\"3\"} 1") == 0)
        #expect(count(metrics, "metrics_dropped_series 3") == 1)
    }

    @Test("forgets what is destroyed, and has room for another") func destroying() {
        let metrics = PrometheusMetrics(descriptions: [], maximumSeriesCount: 1)
        let counter = Counter(label: "c", factory: metrics)
        counter.increment()
        counter.destroy()
        #expect(count(metrics, "c 1") == 0)
        let timer = Timer(label: "t", factory: metrics)
        timer.recordSeconds(1)
        #expect(count(metrics, "t_count 1") == 1)
        timer.destroy()
        #expect(!metrics.exposition().contains("t_count"))
    }

    @Test("loses nothing that many tasks count at once") func together() async {
        let metrics = PrometheusMetrics()
        let (taskCount, count) = (8, 5_000)
        await withTaskGroup { group in
            for _ in 0..<taskCount {
                group.addTask {
                    let timer = Timer(label: "t", factory: metrics)
                    for _ in 0..<count { timer.recordSeconds(2) }
                }
            }
        }
        let total = taskCount * count
        #expect(self.count(metrics, "t_count \(total)") == 1)
        #expect(self.count(metrics, "t_sum \(total * 2)") == 1)
    }
}
