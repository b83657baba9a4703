import CoreMetrics
import Synchronization

/// Keeps what is measured through swift-metrics in memory, and tells it as a Prometheus server reads it.
///
/// Recording takes no lock. Instruments are found by name and labels once, when they are made, so that whoever
/// measures often makes them at start.
///
/// Source: [Exposition formats](https://prometheus.io/docs/instrumenting/exposition_formats/)
package final class PrometheusMetrics: MetricsFactory {
    /// How many combinations of labels are kept; what is beyond that is counted and dropped.
    package static let maximumSeriesCount = 10_000
    /// The type of the text, for the `Content-Type` field.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    /// The name under which dropped combinations of labels are counted.
    static let droppedName = "metrics_dropped_series"

    private struct State {
        var families: [String: MetricFamily] = [:]
        var seriesCount = 0
        var droppedCount = 0
    }

    private let descriptions: [String: MetricDescription]
    private let maximumSeriesCount: Int
    private let state = Mutex(State())

    package convenience init(descriptions: [MetricDescription] = []) {
        self.init(descriptions: descriptions, maximumSeriesCount: Self.maximumSeriesCount)
    }

    init(descriptions: [MetricDescription], maximumSeriesCount: Int) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { $1 }
        self.maximumSeriesCount = maximumSeriesCount
    }

    /// Writes down all that was measured so far.
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
            help: "Combinations of labels that are not kept: too many, or of another type."
        )
        text.line(Self.droppedName, "", Double(droppedCount))
        return text.text
    }

    /// Makes a counter, or finds the one of that name and these labels.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter) { _ in CounterValue() }
    }

    /// Makes a counter of fractions, or finds the one of that name and these labels.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter) { _ in FractionCounterValue() }
    }

    /// Makes a gauge, or finds the one of that name and these labels.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge) { _ in GaugeValue() }
    }

    /// Makes a histogram, or a gauge when nothing is to be aggregated.
    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions, .gauge) { _ in GaugeValue() } }
        return series(label, dimensions, .histogram) { HistogramValue(bounds: $0) }
    }

    /// Makes a histogram of seconds, or finds the one of that name and these labels.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .histogram) { HistogramValue(bounds: $0) }
    }

    package func destroyCounter(_ handler: any CounterHandler) { forget(handler) }

    /// Forgets a counter of fractions.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        forget(handler)
    }

    /// Forgets a gauge.
    package func destroyMeter(_ handler: any MeterHandler) { forget(handler) }

    /// Forgets a histogram or a gauge.
    package func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }

    /// Forgets a histogram of seconds.
    package func destroyTimer(_ handler: any TimerHandler) { forget(handler) }

    /// What can't be kept still works, apart from the others, and is told by its number alone.
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

/// All series of one name.
private struct MetricFamily: Sendable {
    let kind: MetricKind
    /// By their labels, as they are written.
    var series: [String: any Instrument] = [:]
}
