extension CheckResult {
    /// The width of the names, which are all shorter.
    static let nameWidth = 28

    /// The result as lines for people; what does not hold has its reason and its fix.
    package var lines: [String] {
        let verdict = finding.verdict.word.padded(to: 14)
        let head = verdict + check.name.padded(to: Self.nameWidth) + finding.reason
        guard [.fails, .advice].contains(finding.verdict) else { return [head] }
        let margin = "".padded(to: 14)
        return [
            head, "\(margin)tried: \(check.attempt)", "\(margin)should: \(check.expectation)",
            "\(margin)fix: \(check.fix)",
            "\(margin)see: \(check.source.title), \(check.source.address)",
        ]
    }
}

extension CheckReport {
    /// How many hold, and how many do not.
    package var summary: String {
        let counts = Finding.Verdict.allCases.map { "\(count($0)) \($0.words)" }
        return counts.joined(separator: ", ")
    }
}

extension Finding.Verdict {
    /// The verdict in a table.
    var word: String {
        switch self {
        case .holds: "holds"
        case .fails: "FAILS"
        case .advice: "advice"
        case .notExamined: "not examined"
        }
    }

    fileprivate var words: String {
        switch self {
        case .holds: "hold"
        case .fails: "fail"
        case .advice: "with advice"
        case .notExamined: "not examined"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
