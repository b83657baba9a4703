import CoreMetrics
import Synchronization

/// Keeps metrics of swift-metrics in memory and exposes them in the format of Prometheus.
///
/// Recording takes no lock. Creating an instrument looks it up by name and labels under a lock, so code that records
/// often creates its instruments at start.
///
/// Source: [Exposition formats](https://prometheus.io/docs/instrumenting/exposition_formats/)
package final class PrometheusMetrics: MetricsFactory {
    /// The maximum number of series; any more are counted and dropped.
    package static let maximumSeriesCount = 10_000
    /// The value of the `Content-Type` field.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    /// The name of the metric that counts dropped series.
    static let droppedName = "metrics_dropped_series"

    private struct State {
        var families: [String: MetricFamily] = [:]
        var seriesCount = 0
        var droppedCount = 0
    }

    private let descriptions: [String: MetricDescription]
    private let maximumSeriesCount: Int
    private let state = Mutex(State())

    package init(
        descriptions: [MetricDescription] = [],
        maximumSeriesCount: Int = PrometheusMetrics.maximumSeriesCount
    ) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { $1 }
        self.maximumSeriesCount = maximumSeriesCount
    }

    /// Returns all metrics as text.
    package func exposition() -> String {
        let (families, droppedCount) = state.withLock { ($0.families, $0.droppedCount) }
        var text = ExpositionText()
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            text.begin(name, family.kind, help: descriptions[name]?.help)
            for (labels, instrument) in family.series.sorted(by: { $0.key < $1.key }) {
                instrument.write(to: &text, name, labels)
            }
        }
        text.begin(
            Self.droppedName,
            .gauge,
            help: "Series that were dropped, because there were too many or their type differed."
        )
        text.line(Self.droppedName, "", Double(droppedCount))
        return text.text
    }

    /// Creates a counter, or returns the existing one with this name and these labels.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter) { _ in CounterValue() }
    }

    /// Creates a floating-point counter, or returns the existing one with this name and these labels.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter) { _ in FractionCounterValue() }
    }

    /// Creates a gauge, or returns the existing one with this name and these labels.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge) { _ in GaugeValue() }
    }

    /// Creates or returns a histogram, or a gauge when `aggregate` is false.
    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions, .gauge) { _ in GaugeValue() } }
        return series(label, dimensions, .histogram) { HistogramValue(bounds: $0) }
    }

    /// Creates a histogram of seconds, or returns the existing one with this name and these labels.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .histogram) { HistogramValue(bounds: $0) }
    }

    package func destroyCounter(_ handler: any CounterHandler) { forget(handler) }

    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        forget(handler)
    }

    package func destroyMeter(_ handler: any MeterHandler) { forget(handler) }

    package func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }

    package func destroyTimer(_ handler: any TimerHandler) { forget(handler) }

    /// Creates or returns a series; one that is dropped still works, but only its number is exposed.
    private func series<Made: Instrument>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: MetricKind,
        _ make: (_ bounds: [Double]) -> Made
    ) -> Made {
        let name = MetricName.valid(label)
        let labels = MetricName.labels(dimensions)
        let bounds = descriptions[name]?.buckets ?? MetricDescription.usualBuckets
        return state.withLock { state in
            let known = state.families[name]?.series[labels]
            if let known = known as? Made { return known }
            let isOther = state.families[name].map { $0.kind != kind } ?? false
            guard known == nil, !isOther, state.seriesCount < maximumSeriesCount else {
                state.droppedCount += 1
                return make(bounds)
            }
            let made = make(bounds)
            state.families[name, default: MetricFamily(kind: kind)].series[labels] = made
            state.seriesCount += 1
            return made
        }
    }

    private func forget(_ handler: AnyObject) {
        state.withLock { state in
            for (name, family) in state.families {
                guard let labels = family.series.first(where: { $0.value === handler })?.key else {
                    continue
                }
                state.families[name]?.series[labels] = nil
                if family.series.count == 1 { state.families[name] = nil }
                state.seriesCount -= 1
                return
            }
        }
    }
}

/// All series of a name.
private struct MetricFamily: Sendable {
    let kind: MetricKind
    /// The series by their labels in the exposition format.
    var series: [String: any Instrument] = [:]
}
