import AppleIdentity
import Foundation
import Testing

@testable import SignInChecks

@Suite("The list of checks, and reports") struct CheckListTests {
    private static var results: [CheckResult] {
        let findings: [Finding] = [
            .holds("responded with 403"), .fails("signed in \u{1}<b>"), .advice("better"),
            .notExamined("no URL"), .error(CheckError("gone <", hint: "start it")),
        ]
        return zip(SignInCheck.all, findings).map { CheckResult(check: $0, finding: $1) }
    }

    private static func report() throws -> CheckReport {
        let url = try #require(URL(string: "http://localhost:8080/"))
        let target = CheckTarget(start: url, whoAmI: url, control: url)
        return CheckReport(target: target, results: results)
    }

    @Test("Each check has a unique name that fits the table, a source and a fix")
    func names() {
        let names = SignInCheck.all.map(\.name)
        #expect(Set(names).count == names.count && names.count > 50)
        for check in SignInCheck.all {
            #expect(check.name.wholeMatch(of: /[a-z0-9-]+/) != nil, "\(check.name)")
            #expect(check.name.count < CheckResult.nameWidth, "\(check.name)")
            #expect(check.source.address.hasPrefix("https://"), "\(check.name)")
            #expect(check.fix.hasSuffix("."), "\(check.name)")
        }
    }

    @Test("docs/how-to/check.md has the list that `make fidelity` writes")
    func documentIsCurrent() throws {
        let file = Self.file("docs/how-to/check.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let head = try #require(page.range(of: "### State\n"))
        let end = try #require(page.range(of: "\n\n## ", range: head.lowerBound..<page.endIndex))
        let drawn = page.replacingCharacters(
            in: head.lowerBound..<end.lowerBound,
            with: Self.markdown
        )
        if ProcessInfo.processInfo.environment["SIWA_WRITE_DOCUMENTS"] == "1" {
            try Data(drawn.utf8).write(to: file)
        }
        let isCurrent = try String(contentsOf: file, encoding: .utf8) == drawn
        #expect(isCurrent, "run make fidelity and commit docs/how-to/check.md")
    }

    @Test(
        "The documents have the number of checks",
        arguments: ["README.md", "docs/how-to/check.md"]
    )
    func count(document: String) throws {
        let page = try String(contentsOf: Self.file(document), encoding: .utf8)
        let counts = page.matches(of: /(\d+) checks/).map { Int($0.output.1) }
        #expect(counts == [SignInCheck.all.count])
    }

    private static func file(_ path: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: path)
    }

    /// The list as tables in Markdown, by topic.
    private static var markdown: String {
        SignInCheck.Topic.allCases.map(table).joined(separator: "\n\n")
    }

    private static func table(_ topic: SignInCheck.Topic) -> String {
        let rows = topic.checks.map { check in
            "| [`\(check.name)`](\(check.source.address)) | \(check.attempt) | \(check.expectation) |"
        }
        return """
            ### \(topic.rawValue)

            | name and source | sent | expected |
            |---|---|---|

            """ + rows.joined(separator: "\n")
    }

    @Test("The table shows the reason and the fix of a check that did not pass")
    func table() throws {
        let lines = Self.results.flatMap(\.lines).map { $0.start + $0.text }
        #expect(lines.first?.hasPrefix("holds         state-sent") == true)
        #expect(lines.contains("FAILS         state-wrong"))
        for part in ["sent", "expected", "actual", "fix", "see"] {
            #expect(lines.count { $0.contains(" \(part): ") } >= 2, "\(part)")
        }
        #expect(lines.contains { $0.hasPrefix("ERROR         ") })
        #expect(lines.contains { $0.contains("fix: Generate a random state") })
        #expect(
            try Self.report().summary
                == "1 hold, 1 fail, 1 with advice, 1 not examined, 1 without a verdict"
        )
    }

    @Test("JSON and JUnit have every check, with special characters escaped")
    func formats() throws {
        let report = try Self.report()
        #expect(!report.allHold)
        #expect(report.json.text.contains("\"verdict\":\"not_examined\""))
        #expect(report.json.text.contains("\"fails\":1"))
        #expect(report.junit.contains("tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"1\""))
        #expect(report.junit.contains("<failure message=\"signed in &lt;b&gt;\">"))
        #expect(report.junit.contains("<error message=\"gone &lt;\">"))
        #expect(report.json.text.contains("\"hint\":\"start it\""))
    }

    @Test("A reason has no invisible characters and a bounded length")
    func printable() {
        #expect(Finding.fails("a\u{1B}b\u{202E}c").printable.reason == "abc")
        let long = "e" + String(repeating: "\u{301}", count: 1_000)
        #expect(Finding.fails(long).printable.reason.unicodeScalars.count == 601)
    }

    @Test("A report with a check without a verdict does not pass")
    func errors() throws {
        let url = try #require(URL(string: "http://localhost:8080/"))
        let target = CheckTarget(start: url, whoAmI: url, control: url)
        let held = CheckReport(target: target, results: Array(Self.results.prefix(1)))
        #expect(held.allHold)
        let error = CheckError("no answer", hint: "start the server")
        #expect(!CheckRun(target: target).report(of: error).allHold)
    }
}
