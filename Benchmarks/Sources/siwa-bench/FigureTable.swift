import Foundation

/// Figures of one unit, measured once, where a rate says nothing.
struct FigureTable {
    struct Row {
        let name: String
        let value: Double
        /// What else there is to say about the value.
        var note = ""
        /// Whether it is there to compare the others with.
        var isFloor = false
    }

    let title: String
    let unit: String
    let rows: [Row]

    /// One line a figure.
    var text: String {
        let width = rows.map(\.name.count).max() ?? 0
        let lines = rows.map { row in
            let name = row.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let note = row.note.isEmpty ? "" : "  (\(row.note))"
            return "  \(name)  \(String(format: "%8.1f", row.value)) \(unit)\(note)"
        }
        return "\n\(title)\n" + lines.joined(separator: "\n")
    }

    /// A value with its unit, as the chart shows it.
    func label(of row: Row) -> String { String(format: "%.1f %@", row.value, unit) }
}
