import AppleIdentity
import Foundation

package struct CheckResult: Sendable {
    package let check: SignInCheck
    package let finding: Finding
    /// The time that the check took.
    var duration = Duration.zero
    /// Why a failure is accepted; nil if it is not.
    var acceptedReason: String?

    /// Whether it is a failure that its user has accepted.
    package var isAccepted: Bool { acceptedReason != nil && finding.verdict == .fails }
}

package struct CheckReport: Sendable {
    let target: CheckTarget
    package let results: [CheckResult]

    package init(target: CheckTarget, results: [CheckResult]) {
        self.target = target
        self.results = results
    }

    /// Whether no check failed, except accepted ones, or ended with an error.
    package var allHold: Bool {
        results.allSatisfy { $0.isAccepted || ![.fails, .error].contains($0.finding.verdict) }
    }

    package func count(_ verdict: Finding.Verdict) -> Int {
        results.count { $0.finding.verdict == verdict }
    }
}

extension CheckResult {
    static let nameWidth = 28

    /// The result as text, each line with its first columns; a check that did not pass has the attempt, the expected
    /// result, the finding and the fix.
    package var lines: [(start: String, text: String)] {
        let verdict = finding.verdict.word.padded(to: 14)
        let details: [(name: String, text: String)] =
            switch finding.verdict {
            case .holds, .notExamined: []
            case .error:
                [("sent", check.attempt), ("actual", finding.reason), ("fix", finding.hint ?? "")]
            case .fails, .advice:
                [
                    ("sent", check.attempt), ("expected", check.expectation),
                    ("actual", finding.reason), ("fix", check.fix),
                    ("see", "\(check.source.title), \(check.source.address)"),
                ]
            }
        guard !details.isEmpty else {
            return [(verdict + check.name.padded(to: Self.nameWidth), finding.reason)]
        }
        let accepted = acceptedReason.map { [("accepted", $0)] } ?? []
        return [(verdict, check.name)]
            + ((isAccepted ? accepted : []) + details).map {
                ("".padded(to: 14) + "\($0.name): ", $0.text)
            }
    }
}

extension CheckReport {
    private var acceptedCount: Int { results.count { $0.isAccepted } }

    package var summary: String {
        let counts = Finding.Verdict.allCases.map { "\(count($0)) \($0.words)" }
        let accepted = acceptedCount == 0 ? "" : "; \(acceptedCount) of the failures accepted"
        return counts.joined(separator: ", ") + accepted
    }
}

extension Duration {
    /// The seconds with milliseconds.
    fileprivate var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1_000
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

extension CheckReport {
    package var json: JSONObject {
        [
            "url": .string(target.start.absoluteString),
            "all_hold": .boolean(allHold),
            "counts": .object(
                JSONObject(
                    Finding.Verdict.allCases.map {
                        .init(name: $0.rawValue, value: .integer(count($0)))
                    }
                )
            ),
            "checks": .array(results.map { .object($0.object) }),
        ]
    }
}

extension CheckResult {
    fileprivate var object: JSONObject {
        var object: JSONObject = [
            "name": .string(check.name), "topic": .string(check.topic),
            "verdict": .string(finding.verdict.rawValue), "reason": .string(finding.reason),
            "attempt": .string(check.attempt), "expectation": .string(check.expectation),
            "fix": .string(check.fix), "source": .string(check.source.address),
        ]
        object["hint"] = finding.hint.map { .string($0) }
        if isAccepted { object["accepted"] = acceptedReason.map { .string($0) } }
        object["seconds"] = .number(duration.seconds)
        return object
    }
}

/// JUnit's XML, which CI servers read.
extension CheckReport {
    /// The report as a test suite, in which a failed check is a failure and one that was not examined is skipped.
    package var junit: String {
        let head =
            "<testsuite name=\"siwa check\" tests=\"\(results.count)\""
            + " failures=\"\(count(.fails) - acceptedCount)\" errors=\"\(count(.error))\""
            + " skipped=\"\(count(.notExamined) + acceptedCount)\""
            + " time=\"\(results.map(\.duration).reduce(.zero, +).seconds)\">"
        let lines =
            ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", head]
            + results.map(\.testCase) + ["</testsuite>"]
        return lines.joined(separator: "\n")
    }
}

extension CheckResult {
    fileprivate var testCase: String {
        let name =
            "<testcase classname=\"\(Self.escaped(check.topic))\" name=\"\(check.name)\""
            + " time=\"\(duration.seconds)\">"
        let reason = Self.escaped(finding.reason)
        let details = Self.escaped(
            "sent: \(check.attempt)\nexpected: \(check.expectation)\nactual: \(finding.reason)\n"
                + "fix: \(finding.hint ?? check.fix)\nsee: \(check.source.address)"
        )
        let content =
            switch finding.verdict {
            case .holds: "<system-out>\(reason)</system-out>"
            case .advice: "<system-out>advice: \(reason)\n\(details)</system-out>"
            case .fails where isAccepted:
                "<skipped message=\"accepted: \(Self.escaped(acceptedReason ?? ""))\"/>"
            case .fails: "<failure message=\"\(reason)\">\(details)</failure>"
            case .error: "<error message=\"\(reason)\">\(details)</error>"
            case .notExamined: "<skipped message=\"\(reason)\"/>"
            }
        return "  \(name)\(content)</testcase>"
    }

    /// The text without the characters that XML forbids, and with entities.
    private static func escaped(_ text: String) -> String {
        let visible = text.unicodeScalars.filter {
            ($0.value >= 0x20 || $0 == "\n") && !(0xFFFE...0xFFFF).contains($0.value)
        }
        return String(String.UnicodeScalarView(visible))
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
