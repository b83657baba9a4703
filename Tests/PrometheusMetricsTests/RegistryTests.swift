import CoreMetrics
import Testing

@testable import PrometheusMetrics

@Suite("The registry of metrics")
struct RegistryTests {
    private func count(_ metrics: PrometheusMetrics, _ line: String) -> Int {
        metrics.exposition().split(separator: "\n").count { $0 == line }
    }

    @Test("has one series for a name and labels, in any order of labels") func same() {
        let metrics = PrometheusMetrics()
        let labels = [("a", "1"), ("b", "2")]
        Counter(label: "c", dimensions: labels, factory: metrics).increment()
        Counter(label: "c", dimensions: labels.reversed(), factory: metrics).increment()
        #expect(count(metrics, "c{a=\"1\",b=\"2\"} 2") == 1)
    }

    @Test("keeps one type for a name, and counts dropped series") func otherType() {
        let metrics = PrometheusMetrics()
        Counter(label: "c", factory: metrics).increment()
        let meter = Meter(label: "c", factory: metrics)
        meter.set(9)
        FloatingPointCounter(label: "c", factory: metrics).increment(by: 9)
        #expect(count(metrics, "c 1") == 1)
        #expect(count(metrics, "# TYPE c counter") == 1)
        #expect(count(metrics, "metrics_dropped_series 2") == 1)
    }

    @Test("keeps a limited number of series") func limit() {
        let metrics = PrometheusMetrics(descriptions: [], maximumSeriesCount: 2)
        for number in 1...5 {
            Counter(label: "c", dimensions: [("n", "\(number)")], factory: metrics).increment()
        }
        #expect(count(metrics, "c{n=\"2\"} 1") == 1)
        #expect(count(metrics, "c{n=\"3\"} 1") == 0)
        #expect(count(metrics, "metrics_dropped_series 3") == 1)
    }

    @Test("removes destroyed series, and has room for others") func destroying() {
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

    @Test("loses no count of parallel tasks") func together() async {
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
