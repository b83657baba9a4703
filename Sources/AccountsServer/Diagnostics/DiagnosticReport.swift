import AppleIdentity

/// What the checks of a configuration found, in their order.
package struct DiagnosticReport: Hashable, Sendable {
    package var findings: [DiagnosticFinding]

    package init(_ findings: [DiagnosticFinding]) {
        self.findings = findings
    }

    /// Whether Apple would refuse, or the server not start.
    package var hasFailure: Bool { findings.contains { $0.outcome == .failure } }

    /// The findings as a table, and what no check can tell.
    package var text: String {
        let titles = (check: "check", result: "result", advice: "details, or what to do")
        let rows =
            [titles]
            + findings.map {
                (check: $0.check, result: $0.outcome.rawValue, advice: $0.advice)
            }
        let checkWidth = rows.map(\.check.count).max() ?? 0
        let resultWidth = rows.map(\.result.count).max() ?? 0
        let table = rows.map { row in
            Self.padded(row.check, to: checkWidth) + "  " + Self.padded(row.result, to: resultWidth)
                + "  " + row.advice
        }
        return (table + ["", summary, "", Self.limits]).joined(separator: "\n")
    }

    /// The findings for programs: whether one failed, and each in its order.
    package var json: JSONObject {
        [
            "failed": .boolean(hasFailure),
            "checks": .array(
                findings.map {
                    [
                        "check": .string($0.check), "result": .string($0.outcome.word),
                        "advice": .string($0.advice),
                    ]
                }
            ),
        ]
    }

    /// How it went, in one line.
    private var summary: String {
        let failed = findings.filter { $0.outcome == .failure }.map(\.check)
        let warned = findings.filter { $0.outcome == .warning }.map(\.check)
        guard failed.isEmpty else { return "To fix: \(failed.joined(separator: ", "))." }
        guard warned.isEmpty else { return "To check: \(warned.joined(separator: ", "))." }
        return "No problems found."
    }

    /// Apple looks the code up before it looks at the client's credentials, so that a made-up code
    /// is refused with any key.
    private static let limits = """
        Not asked: whether Apple accepts key, team and client together. Apple looks a code up before
        it looks at the credentials, so that a made-up code proves nothing; the first real sign-in
        does, and a refusal then names its causes.
        """

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: width - text.count)
    }
}
