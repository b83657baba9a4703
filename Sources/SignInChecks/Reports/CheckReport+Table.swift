extension CheckResult {
    /// The width of the names, which are all shorter.
    static let nameWidth = 28

    /// The result as lines for people; what does not hold has what was sent, what should have come of it, and the fix.
    package var lines: [String] {
        let verdict = finding.verdict.word.padded(to: 14)
        let head = verdict + check.name
        let details: [(name: String, text: String)] =
            switch finding.verdict {
            case .holds, .notExamined: []
            case .error:
                [
                    ("sent", check.attempt), ("came", finding.reason),
                    ("fix", finding.hint ?? ""),
                ]
            case .fails, .advice:
                [
                    ("sent", check.attempt), ("expected", check.expectation),
                    ("came", finding.reason), ("fix", check.fix),
                    ("see", "\(check.source.title), \(check.source.address)"),
                ]
            }
        guard !details.isEmpty else {
            return [verdict + check.name.padded(to: Self.nameWidth) + finding.reason]
        }
        return [head] + details.map { "".padded(to: 14) + "\($0.name): \($0.text)" }
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
        case .error: "ERROR"
        }
    }

    fileprivate var words: String {
        switch self {
        case .holds: "hold"
        case .fails: "fail"
        case .advice: "with advice"
        case .notExamined: "not examined"
        case .error: "without a verdict"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
