import AppleIdentity
import Foundation
import Testing

@testable import siwa

/// Names with control characters, for a terminal.
@Suite("Text for a terminal") struct TerminalTextTests {
    private static let hostile = "Ma\u{1B}[2Jya\u{7}\r\n\u{202E}\u{9B}31m"

    @Test("A table has a line for each row, and no control characters") func table() {
        let lines = TerminalText.table(
            ["ID", "NAME"],
            [["1", Self.hostile], ["22", ""]],
            to: 80
        )
        #expect(lines.count == 3)
        #expect(lines[0] == "ID  NAME")
        #expect(lines[1].hasPrefix("1   Ma[2Jya"))
        #expect(lines[2] == "22")
        for line in lines { expectHarmless(line) }
    }

    @Test("A long cell is cut") func longCell() {
        let long = String(repeating: "a", count: 1000)
        let lines = TerminalText.table(["NAME"], [[long]], to: 40)
        #expect(lines[1] == String(repeating: "a", count: 37) + "…")
        #expect(TerminalText.table(["NAME"], [[long]], to: nil) == ["NAME", long])
    }

    @Test("A table fits the terminal, and its cells stay whole; a pipe gets a line for each row")
    func wideTable() {
        let words = ["ID", "NAME", "EMAIL", "APPLE", "CREATED"]
        let id = String(repeating: "0123456789abcdef", count: 2)
        let relay = "q7n2v9k4xd@privaterelay.appleid.com"
        let rows = [[id, "林 Maya", relay, "linked", "2026-11-28"]]
        let lines = TerminalText.table(words, rows, to: 80)
        #expect(TerminalText.table(words, rows, to: nil).count == 2)
        #expect(
            lines == [
                "ID                                NAME     EMAIL",
                "  APPLE   CREATED",
                "\(id)  林 Maya  \(relay)",
                "  linked  2026-11-28",
            ]
        )
    }

    @Test(
        "A character takes the columns that terminals give it",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("Ж", 1), ("家", 2), ("ア", 2),
            ("ｱ", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("🍊", 2), ("👩‍🚀", 2),
            ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("…", 1), ("─", 1), ("ن", 1),
            ("\u{200B}", 0), ("\u{7}", 0), ("\u{1B}", 0), ("\u{9B}", 0), ("\u{202E}", 0),
            ("\u{301}", 0),
        ]
    )
    func columns(text: String, expected: Int) {
        #expect(TextWidth.columns(of: text) == expected)
    }

    @Test("A text that is too wide is cut between characters, with an ellipsis") func clipped() {
        #expect(TextWidth.clipped("orange", to: 6) == "orange")
        #expect(TextWidth.clipped("oranges", to: 6) == "orang…")
        #expect(TextWidth.clipped("家家家", to: 4) == "家…")
        #expect(TextWidth.clipped("ab", to: 0) == "")
    }

    @Test("A line is broken between words, and never in one") func wrapped() {
        let url = "https://juice.example.com/sign-in/apple/callback"
        let lines = TerminalText.wrapped("register \(url) with Apple", after: "ok  ", to: 20)
        #expect(lines == ["ok  register", "    \(url)", "    with Apple"])
        #expect(TerminalText.wrapped("家 家家", after: "", to: 4) == ["家", "家家"])
        #expect(TerminalText.wrapped("", after: "", to: 4) == [""])
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
