import AccountsServer
import Foundation
import HTTPTypes
import PrometheusMetrics
import Testing

@Suite("The documents about metrics", .timeLimit(.minutes(2)))
struct MetricsDocumentTests {
    /// A row of the table of metrics.
    private struct Row: Hashable {
        let name: String
        let kind: String
        let labels: Set<String>
    }

    /// The metrics that no server on SQLite has.
    private static let ofPostgreSQL = [
        Row(name: "siwa_postgresql_connections", kind: "gauge", labels: ["state"]),
        Row(name: "siwa_postgresql_waiting", kind: "gauge", labels: []),
        Row(name: "siwa_postgresql_batch_waiting", kind: "gauge", labels: []),
        Row(name: "siwa_postgresql_wait_seconds", kind: "histogram", labels: []),
    ]

    private static func text(_ path: String) throws -> String {
        let package = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }

    /// The lines below a heading, up to the next one.
    private static func section(_ heading: String, of text: String) throws -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == heading })
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("#") })
    }

    private static func documented() throws -> [Row] {
        try section("### Every metric", of: text("docs/how-to/operations.md")).compactMap { line in
            guard let row = line.firstMatch(of: #/^\| `(\w+)` \| (\w+) \| (.*?) ?\| /#) else {
                return nil
            }
            let labels = row.output.3.matches(of: /`(\w+)`/).map { String($0.output.1) }
            let (_, name, kind, _) = row.output
            return Row(name: String(name), kind: String(kind), labels: Set(labels))
        }
    }

    private static func told(_ text: String) -> Set<Row> {
        Set(
            text.matches(of: #/# TYPE (\w+) (\w+)\n(.*)\n/#).map { match in
                let labels = match.output.3.matches(of: /[{,](\w+)="/)
                    .map { String($0.output.1) }
                let (_, name, kind, _) = match.output
                return Row(
                    name: String(name),
                    kind: String(kind),
                    labels: Set(labels).subtracting(["le"])
                )
            }
        )
    }

    @Test("have each metric once, with its type and its labels") func metrics() async throws {
        let documented = try Self.documented()
        #expect(documented.count == Set(documented.map(\.name)).count)
        try await withAccountsServer { server in
            _ = try await server.token()
            let told = Self.told(try await server.send(.get, "/metrics").text)
            let expected = told.union(Self.ofPostgreSQL)
            #expect(Set(documented).subtracting(expected) == [])
            #expect(expected.subtracting(documented) == [])
        }
    }

    @Test("have alerts whose metrics exist, the same in the page and in the rules")
    func alerts() throws {
        let rules = try Self.text("deployment/prometheus-alerts.yml")
            .matches(of: #/- alert: (\w+)\n +expr: '(.*)'\n +for: \d+m\n/#)
            .map { ["\($0.output.1)", "\($0.output.2)"] }
        let listed = try Self.section("### Alerts", of: Self.text("docs/how-to/operations.md"))
            .flatMap { line in line.matches(of: /`(Siwa\w+)`/).map { String($0.output.1) } }
        #expect(rules.count > 10)
        #expect(rules.map { $0[0] } == listed)
        let known = Set(try Self.documented().map(\.name))
        for rule in rules {
            let names = rule[1].matches(of: /(?:siwa|process|metrics)_\w+/).map { name in
                String(name.output).replacing(/_(?:bucket|count|sum)$/, with: "")
            }
            #expect(!names.isEmpty || rule[1].hasPrefix("up{"), "\(rule)")
            #expect(Set(names).isSubset(of: known), "\(rule)")
        }
    }
}
