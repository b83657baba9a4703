import Foundation

/// The results of the verification's contests as a picture, for light and dark pages.
struct VerificationChart {
    private typealias Row = ResultTable.Row

    private static let width = 760.0
    private static let labelWidth = 330.0
    private static let barWidth = 330.0
    private static let lineHeight = 30.0

    private let contest: ResultTable
    private let steps: ResultTable
    private let cores: [ResultTable]
    private let growth: ResultTable

    /// Creates a chart; nil when a contest's table is missing.
    init?(_ tables: [ResultTable]) {
        func table(_ title: String) -> ResultTable? { tables.first { $0.title == title } }
        let cores = tables.filter { $0.title.hasPrefix(GrowthContest.coreTitle) }
        guard let contest = tables.first, let steps = table(StepContest.title), cores.count == 2,
            let growth = table(GrowthContest.clientTitle)
        else { return nil }
        (self.contest, self.steps, self.cores, self.growth) = (contest, steps, cores, growth)
    }

    var svg: String {
        let bars = contest.rows.enumerated().map { bar($1, line: Double($0)) }
        let stepLine = Double(contest.rows.count) + 1.4
        let noteLine = stepLine + 2.6
        let notes = self.notes
        let height = 60 + (noteLine + Double(notes.count)) * Self.lineHeight
        return ChartFrame(width: Self.width, height: height)
            .svg(
                title: "What verifying one identity token costs",
                content: """
                    <text x="10" y="24" font-weight="600">Verifying one identity token, µs on one core \
                    (in brackets: relative to the rate of the first row)</text>
                    \(bars.joined(separator: "\n"))
                    \(stepBar(line: stepLine))
                    \(notes.enumerated().map { note($1, line: noteLine + Double($0)) }.joined(separator: "\n"))
                    """
            )
    }

    private func bar(_ row: Row, line: Double) -> String {
        let longest = contest.rows.map(\.microseconds).max() ?? 1
        let length = max(2, row.microseconds / longest * Self.barWidth)
        let y = top(of: line)
        let style =
            line == 0 ? "floor" : row.name.hasPrefix("SignInWithApple") ? "ours" : "other"
        let value = String(
            format: "%.1f  (%.2f)",
            row.microseconds,
            contest.ratio(of: row)
        )
        return """
            <text x="10" y="\(text(y + 14))">\(row.name)</text>
            <rect class="\(style)" x="\(text(Self.labelWidth))" y="\(text(y))" \
            width="\(text(length))" height="18" rx="2"/>
            <text class="quiet" x="\(text(Self.labelWidth + length + 8))" y="\(text(y + 14))">\(value)</text>
            """
    }

    /// The parts of the total time: three bars side by side.
    private func stepBar(line: Double) -> String {
        func cost(_ name: String) -> Double {
            steps.rows.first { $0.name == name }?.microseconds ?? 0
        }
        let whole = cost(VerificationContest.wholeName)
        let signature = cost(VerificationContest.signatureName)
        let reading = cost(StepContest.readName) - cost(StepContest.hashName)
        let parts: [(style: String, name: String, cost: Double)] = [
            ("floor", "signature", signature),
            ("read", "split, decode, header, key", reading),
            ("claims", "claims, every check, result", max(0, whole - signature - reading)),
        ]
        var x = 10.0
        var keyX = 10.0
        let y = top(of: line)
        var lines = [
            """
            <text x="10" y="\(text(y - 8))" font-weight="600">Where the total time goes</text>
            """
        ]
        for part in parts {
            let length = part.cost / whole * (Self.width - 20)
            let label = String(format: "%@ %.1f µs", part.name, part.cost)
            lines.append(
                """
                <rect class="\(part.style)" x="\(text(x))" y="\(text(y))" width="\(text(length))" height="18"/>
                <rect class="\(part.style)" x="\(text(keyX))" y="\(text(y + 29))" width="12" height="12"/>
                <text x="\(text(keyX + 18))" y="\(text(y + 40))">\(label)</text>
                """
            )
            x += length
            keyX += 36 + Double(label.count) * 7.4
        }
        return lines.joined(separator: "\n")
    }

    private var notes: [String] {
        let growths = growth.rows.dropFirst().map { row in
            "– \(row.name.split(separator: ",").joined(separator: " and")): "
                + String(format: "%.2f", growth.ratio(of: row))
        }
        return [
            coreNote,
            "Rate with more client identifiers or keys, relative to 1 client identifier and 3 keys:",
        ] + growths
    }

    /// Shown only when one task had its own core, or two tasks did not have two.
    private var coreNote: String {
        let whole = contest.rows.first { $0.name == VerificationContest.wholeName }
        guard let whole, let alone = cores.last?.rows.first, alone.rate > 0.95 * whole.rate else {
            return "The rate on both cores at once is not shown: other programs were using them."
        }
        let scaling = cores.compactMap { table in
            table.rows.last.map { String(format: "%.2f", table.ratio(of: $0)) }
        }
        return "On both cores at once, the rate is \(scaling.last ?? "?") times as high "
            + "(\(scaling.first ?? "?") times for the signature alone)."
    }

    private func note(_ note: String, line: Double) -> String {
        "<text class=\"quiet\" x=\"10\" y=\"\(text(top(of: line)))\">\(note)</text>"
    }

    private func top(of line: Double) -> Double { 44 + line * Self.lineHeight }

    private func text(_ number: Double) -> String { String(format: "%.1f", number) }
}
