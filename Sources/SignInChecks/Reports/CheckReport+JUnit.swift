/// JUnit's XML, which CI servers read.
extension CheckReport {
    /// The report as a test suite: what does not hold is a failure, and what was not examined is skipped.
    package var junit: String {
        let head =
            "<testsuite name=\"siwa check\" tests=\"\(results.count)\" failures=\"\(count(.fails))\""
            + " errors=\"\(count(.error))\" skipped=\"\(count(.notExamined))\">"
        let lines =
            ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", head]
            + results.map(\.testCase) + ["</testsuite>"]
        return lines.joined(separator: "\n")
    }
}

extension CheckResult {
    fileprivate var testCase: String {
        let name =
            "<testcase classname=\"\(Self.escaped(check.topic.rawValue))\" name=\"\(check.name)\">"
        let reason = Self.escaped(finding.reason)
        let details = Self.escaped(
            "sent: \(check.attempt)\nexpected: \(check.expectation)\ncame: \(finding.reason)\n"
                + "fix: \(finding.hint ?? check.fix)\nsee: \(check.source.address)"
        )
        let content =
            switch finding.verdict {
            case .holds: "<system-out>\(reason)</system-out>"
            case .advice: "<system-out>advice: \(reason)\n\(details)</system-out>"
            case .fails: "<failure message=\"\(reason)\">\(details)</failure>"
            case .error: "<error message=\"\(reason)\">\(details)</error>"
            case .notExamined: "<skipped message=\"\(reason)\"/>"
            }
        return "  \(name)\(content)</testcase>"
    }

    /// What XML can't have is left out.
    private static func escaped(_ text: String) -> String {
        let kept = text.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\n" }
        return String(String.UnicodeScalarView(kept))
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
