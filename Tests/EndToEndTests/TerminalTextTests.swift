import AppleIdentity
import Foundation
import Testing

@testable import siwa

/// Names with control characters, for a terminal.
@Suite("Text for a terminal") struct TerminalTextTests {
    private static let hostile = "Ma\u{1B}[2Jya\u{7}\r\n\u{202E}\u{9B}31m"

    @Test("A table has a line for each row, and no control characters") func table() {
        let lines = TerminalText.table(["ID", "NAME"], [["1", Self.hostile], ["22", ""]])
        #expect(lines.count == 3)
        #expect(lines[0] == "ID  NAME")
        #expect(lines[1].hasPrefix("1   Ma[2Jya"))
        #expect(lines[2] == "22")
        for line in lines { expectHarmless(line) }
    }

    @Test("A long cell is cut") func longCell() {
        let long = String(repeating: "a", count: 1000)
        let lines = TerminalText.table(["NAME"], [[long]])
        #expect(lines[1] == String(repeating: "a", count: 77) + "…")
    }

    @Test("A table fits 80 columns, and its cells stay whole") func wideTable() {
        let words = ["ID", "NAME", "EMAIL", "APPLE", "CREATED"]
        let id = String(repeating: "0123456789abcdef", count: 2)
        let relay = "q7n2v9k4xd@privaterelay.appleid.com"
        let lines = TerminalText.table(words, [[id, "林 Maya", relay, "linked", "2026-11-28"]])
        #expect(
            lines == [
                "ID                                NAME     EMAIL",
                "  APPLE   CREATED",
                "\(id)  林 Maya  \(relay)",
                "  linked  2026-11-28",
            ]
        )
    }

    @Test("A line is broken between words, and never in one") func wrapped() {
        let url = "https://juice.example.com/sign-in/apple/callback"
        let lines = TerminalText.wrapped("register \(url) with Apple", after: "ok  ", to: 20)
        #expect(lines == ["ok  register", "    \(url)", "    with Apple"])
    }

    @Test("Indented JSON is the same object, without control characters") func indented() throws {
        let object: JSONObject = [
            "a": .array([1, .object(["b": .string(Self.hostile)])]), "c": .array([]),
        ]
        let text = TerminalText.indentedJSON(.object(object))
        #expect(text.hasPrefix("{\n  \"a\": [\n    1,\n    {\n      \"b\": \"Ma"))
        #expect(text.hasSuffix("\n    }\n  ],\n  \"c\": []\n}"))
        for line in text.split(separator: "\n") { expectHarmless(String(line)) }
        #expect(try JSONObject(parsing: Data(text.utf8)) == object)
    }

    @Test("JSON escapes control characters, and a program reads them back") func json() throws {
        let object: JSONObject = ["name": .string(Self.hostile + "\u{2028}\u{E0041}👩‍👧")]
        let text = TerminalText.json(object)
        expectHarmless(text)
        #expect(try JSONObject(parsing: Data(text.utf8))["name"] == object["name"])
    }

    @Test("Another server's text keeps only its spaces") func visible() {
        let text = TerminalText.visible("holds   " + Self.hostile)
        expectHarmless(text)
        #expect(text.hasPrefix("holds   Ma[2Jya"))
    }

    private func expectHarmless(_ line: String) {
        for scalar in line.unicodeScalars {
            #expect(scalar.properties.generalCategory != .control, "\(line.debugDescription)")
            #expect(scalar.value != 0x202E)
        }
    }
}
