import Accounts
import Foundation
import Testing

@Suite("The document about the audit log")
struct AuditDocumentTests {
    @Test("names every action once, and no unknown one")
    func actions() throws {
        let package = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: package.appending(path: "docs/how-to/operations.md"),
            encoding: .utf8
        )
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| action | meaning |") })
        let rows = lines[start...].dropFirst(2).prefix { $0.hasPrefix("|") }
        let words = rows.flatMap { row in
            row.dropFirst().prefix { $0 != "|" }.matches(of: /`(\w+)`/).map { String($0.1) }
        }
        #expect(words.sorted() == AuditAction.allCases.map(\.rawValue).sorted())
    }
}
