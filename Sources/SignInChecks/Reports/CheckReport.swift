/// One check and what came of it.
package struct CheckResult: Sendable {
    package let check: SignInCheck
    package let finding: Finding
}

/// What came of a whole run.
package struct CheckReport: Sendable {
    let target: CheckTarget
    package let results: [CheckResult]

    package init(target: CheckTarget, results: [CheckResult]) {
        self.target = target
        self.results = results
    }

    /// Whether every check came to a verdict, and none found what must change.
    package var allHold: Bool { count(.fails) == 0 && count(.error) == 0 }

    /// How many checks had a verdict.
    package func count(_ verdict: Finding.Verdict) -> Int {
        results.count { $0.finding.verdict == verdict }
    }
}
