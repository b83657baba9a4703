import Foundation

/// The results of a contest, as a person reads them.
struct ResultTable {
    struct Row {
        let name: String
        let rates: [Double]

        /// The median of a few long turns, or the best of many short ones, which is the machine's
        /// undisturbed rate.
        var rate: Double {
            let sorted = rates.sorted()
            return sorted.count < 20 ? sorted[sorted.count / 2] : sorted[sorted.count - 1]
        }

        var microseconds: Double { 1_000_000 / rate }
    }

    let title: String
    let rows: [Row]

    /// One line a contender: name, rate, spread, ratio to the first.
    var text: String {
        let width = rows.map(\.name.count).max() ?? 0
        let lines = rows.map { row in
            let name = row.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let spread = "\(number(row.rates.min() ?? 0)) to \(number(row.rates.max() ?? 0))"
            let ratio = String(format: "%.2f", ratio(of: row))
            let duration = String(format: "%8.2f µs", row.microseconds)
            return
                "  \(name)  \(number(row.rate)) per second  (\(spread)) \(duration)  ratio \(ratio)"
        }
        return "\n\(title)\n" + lines.joined(separator: "\n")
    }

    /// How a contender compares with the first.
    func ratio(of row: Row) -> Double {
        row.rate / (rows.first?.rate ?? row.rate)
    }

    private func number(_ value: Double) -> String {
        String(format: "%8.0f", value)
    }
}
