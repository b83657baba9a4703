import Foundation

/// The rates of the accounts server's contests as a picture: each contest a block of bars, the floor or the peer
/// first.
struct AccountsChart {
    private static let width = 760.0
    private static let labelWidth = 330.0
    private static let barWidth = 240.0
    private static let lineHeight = 30.0

    let tables: [ResultTable]

    var svg: String {
        var elements: [String] = []
        var line = 0.0
        for table in tables {
            elements.append(title(table.title, line: line))
            line += 1
            let longest = table.rows.map(\.rate).max() ?? 1
            for (index, row) in table.rows.enumerated() {
                elements.append(bar(row, of: table, isFirst: index == 0, longest, line: line))
                line += 1
            }
            line += 0.4
        }
        return ChartFrame(width: Self.width, height: 20 + line * Self.lineHeight)
            .svg(
                title:
                    "How many sessions the accounts server checks, and people it signs in, a second",
                content: elements.joined(separator: "\n")
            )
    }

    private func title(_ title: String, line: Double) -> String {
        let y = ChartFrame.text(24 + line * Self.lineHeight)
        return "<text x=\"10\" y=\"\(y)\" font-weight=\"600\">\(title)</text>"
    }

    private func bar(
        _ row: ResultTable.Row,
        of table: ResultTable,
        isFirst: Bool,
        _ longest: Double,
        line: Double
    ) -> String {
        let length = max(2, row.rate / longest * Self.barWidth)
        let y = 10 + line * Self.lineHeight
        let style = row.name.hasPrefix("accounts server") ? "ours" : isFirst ? "floor" : "other"
        let value = String(format: "%.0f a second  (%.2f)", row.rate, table.ratio(of: row))
        let text = ChartFrame.text
        return """
            <text x="10" y="\(text(y + 14))">\(row.name)</text>
            <rect class="\(style)" x="\(text(Self.labelWidth))" y="\(text(y))" \
            width="\(text(length))" height="18" rx="2"/>
            <text class="quiet" x="\(text(Self.labelWidth + length + 8))" y="\(text(y + 14))">\(value)</text>
            """
    }
}
