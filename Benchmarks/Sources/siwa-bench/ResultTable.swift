import Foundation

/// The medians of a contest, as a person reads them.
struct ResultTable {
    struct Row {
        let name: String
        let rates: [Double]

        var median: Double { rates.sorted()[rates.count / 2] }
    }

    let title: String
    let rows: [Row]

    /// One line a contender: name, median, spread, ratio to the first.
    var text: String {
        let width = rows.map(\.name.count).max() ?? 0
        let lines = rows.map { row in
            let name = row.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let spread = "\(number(row.rates.min() ?? 0)) to \(number(row.rates.max() ?? 0))"
            let ratio = String(format: "%.2f", row.median / (rows.first?.median ?? row.median))
            let duration = String(format: "%8.2f µs", 1_000_000 / row.median)
            return
                "  \(name)  \(number(row.median)) per second  (\(spread)) \(duration)  ratio \(ratio)"
        }
        return "\n\(title)\n" + lines.joined(separator: "\n")
    }

    private func number(_ value: Double) -> String {
        String(format: "%8.0f", value)
    }
}
