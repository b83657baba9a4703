import Foundation
import Testing

@testable import AccountsServer

/// The table of settings.
@Suite struct SettingTests {
    @Test("docs/reference/settings.md has the table") func documentIsCurrent() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/reference/settings.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let head = try #require(page.range(of: "| name | required or default |"))
        let end = try #require(page.range(of: "\n###", range: head.lowerBound..<page.endIndex))
        let range = head.lowerBound..<end.lowerBound
        let drawn = page.replacingCharacters(in: range, with: Setting.markdown)
        if ProcessInfo.processInfo.environment["SIWA_WRITE_DOCUMENTS"] == "1" {
            try Data(drawn.utf8).write(to: file)
        }
        let isCurrent = try String(contentsOf: file, encoding: .utf8) == drawn
        #expect(isCurrent, "run make fidelity and commit docs/reference/settings.md")
    }

    @Test("The help has each setting, without Markdown") func help() {
        for setting in Setting.all { #expect(Setting.help.contains("\(setting.name): ")) }
        #expect(Setting.help.contains("SIWA_AUDIT_DAYS: default 365\n  1 to 3660: for how many"))
        #expect(!Setting.help.contains(/`|\]\(/))
    }

    @Test("Each name stands once") func names() {
        #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
    }
}
