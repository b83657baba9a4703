import Foundation

/// The figures of the accounts server as a picture: each contest a block of bars, the floor or the peer first.
struct AccountsChart {
    private struct Bar {
        let name: String
        let value: Double
        let label: String
        let style: String
    }

    private struct Block {
        let title: String
        let bars: [Bar]
    }

    private static let width = 820.0
    private static let labelWidth = 370.0
    private static let barWidth = 250.0
    private static let lineHeight = 30.0

    private let title: String
    private let blocks: [Block]

    /// Lays out the blocks.
    ///
    /// - Parameters:
    ///   - title: what it shows, for who can't see it.
    ///   - contests: a block each.
    ///   - figures: a block each, below.
    init(title: String, contests: [ResultTable], figures: [FigureTable]) {
        self.title = title
        blocks = contests.map(Self.block) + figures.map(Self.block)
    }

    var svg: String {
        var elements: [String] = []
        var line = 0.0
        for block in blocks {
            elements.append(heading(block.title, line: line))
            line += 1
            let longest = block.bars.map(\.value).max() ?? 1
            for bar in block.bars {
                elements.append(text(of: bar, longest, line: line))
                line += 1
            }
            line += 0.4
        }
        return ChartFrame(width: Self.width, height: 10 + line * Self.lineHeight)
            .svg(
                title: title,
                content: elements.joined(separator: "\n")
            )
    }

    private static func block(_ table: ResultTable) -> Block {
        let bars = table.rows.map { row in
            Bar(
                name: row.name,
                value: row.rate,
                label: String(format: "%.0f a second  (%.2f)", row.rate, table.ratio(of: row)),
                style: style(of: row.name)
            )
        }
        return Block(title: table.title, bars: bars)
    }

    private static func style(of name: String) -> String {
        if name.hasPrefix("django") || name.hasPrefix("pgbench") { return "other" }
        return ["accounts server", "store", "on PostgreSQL", "two replicas", "10000000"]
            .contains { name.hasPrefix($0) } ? "ours" : "floor"
    }

    private static func block(_ table: FigureTable) -> Block {
        let bars = table.rows.map { row in
            Bar(
                name: row.name,
                value: row.value,
                label: table.label(of: row),
                style: row.isFloor ? "floor" : "ours"
            )
        }
        return Block(title: table.title, bars: bars)
    }

    private func heading(_ title: String, line: Double) -> String {
        let y = ChartFrame.text(24 + line * Self.lineHeight)
        return "<text x=\"10\" y=\"\(y)\" font-weight=\"600\">\(title)</text>"
    }

    private func text(of bar: Bar, _ longest: Double, line: Double) -> String {
        let length = max(2, bar.value / longest * Self.barWidth)
        let y = 10 + line * Self.lineHeight
        let text = ChartFrame.text
        return """
            <text x="10" y="\(text(y + 14))">\(bar.name)</text>
            <rect class="\(bar.style)" x="\(text(Self.labelWidth))" y="\(text(y))" \
            width="\(text(length))" height="18" rx="2"/>
            <text class="quiet" x="\(text(Self.labelWidth + length + 8))" y="\(text(y + 14))">\(bar.label)</text>
            """
    }
}
