import CoreMetrics
import Synchronization

/// A time series: a metric with one combination of labels.
protocol Instrument: AnyObject, Sendable {
    func write(to text: inout ExpositionText, _ name: String, _ labels: String)
}

final class CounterValue: CounterHandler, Instrument {
    private let count = Atomic<Int64>(0)

    /// Increments the counter and ignores negative amounts, because a counter never decreases.
    func increment(by amount: Int64) {
        if amount > 0 { count.wrappingAdd(amount, ordering: .relaxed) }
    }

    func reset() { count.store(0, ordering: .relaxed) }

    func write(to text: inout ExpositionText, _ name: String, _ labels: String) {
        text.line(name, labels, Double(count.load(ordering: .relaxed)))
    }
}

final class FractionCounterValue: FloatingPointCounterHandler, Instrument {
    private let sum = Atomic<Double>(0)

    func increment(by amount: Double) {
        if amount > 0, amount.isFinite { sum.add(amount) }
    }

    func reset() { sum.store(0, ordering: .relaxed) }

    func write(to text: inout ExpositionText, _ name: String, _ labels: String) {
        text.line(name, labels, sum.load(ordering: .relaxed))
    }
}

final class GaugeValue: MeterHandler, RecorderHandler, Instrument {
    private let value = Atomic<Double>(0)

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { self.value.store(value, ordering: .relaxed) }

    func increment(by amount: Double) { value.add(amount) }

    func decrement(by amount: Double) { value.add(-amount) }

    func record(_ value: Int64) { set(Double(value)) }

    func record(_ value: Double) { set(value) }

    func write(to text: inout ExpositionText, _ name: String, _ labels: String) {
        text.line(name, labels, value.load(ordering: .relaxed))
    }
}

/// A histogram: the number of values up to each fixed bound, and their sum.
final class HistogramValue: RecorderHandler, TimerHandler, Instrument {
    private final class Bucket: Sendable {
        let count = Atomic<Int>(0)
    }

    private let bounds: [Double]
    /// One bucket more than bounds, for values above the last bound.
    private let buckets: [Bucket]
    private let sum = Atomic<Double>(0)

    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Bucket() }
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        buckets[index].count.wrappingAdd(1, ordering: .relaxed)
        sum.add(value)
    }

    /// Records a duration; a negative one, from a clock that was set back, counts as zero.
    func recordNanoseconds(_ duration: Int64) {
        record(Double(max(duration, 0)) / 1_000_000_000)
    }

    /// Writes the histogram; the total count is the sum of the buckets and so always agrees with them.
    func write(to text: inout ExpositionText, _ name: String, _ labels: String) {
        var count = 0
        for (index, bucket) in buckets.enumerated() {
            count += bucket.count.load(ordering: .relaxed)
            let bound = index < bounds.count ? bounds[index] : .infinity
            let separator = labels.isEmpty ? "" : ","
            let label = "\(labels)\(separator)le=\"\(ExpositionText.number(bound))\""
            text.line("\(name)_bucket", label, Double(count))
        }
        text.line("\(name)_sum", labels, sum.load(ordering: .relaxed))
        text.line("\(name)_count", labels, Double(count))
    }
}

extension Atomic where Value == Double {
    fileprivate func add(_ amount: Double) {
        var known = load(ordering: .relaxed)
        while true {
            let (isDone, found) = weakCompareExchange(
                expected: known,
                desired: known + amount,
                ordering: .relaxed
            )
            if isDone { return }
            known = found
        }
    }
}
