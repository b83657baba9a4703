import Testing

@testable import TerminalUI

/// Columns of characters, and lines.
@Suite("Widths of texts") struct TextWidthTests {
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
        #expect(TextWidth.tail("oranges", of: 3) == "ges")
        #expect(TextWidth.tail("a家", of: 2) == "家")
    }

    @Test("Lines break between words, and inside words that are wider than a line") func lines() {
        #expect(TextLines.wrap("", to: 10) == [""])
        #expect(TextLines.wrap("one two three", to: 7) == ["one two", "three"])
        #expect(TextLines.wrap("abcdefgh ij", to: 3) == ["abc", "def", "gh", "ij"])
        #expect(TextLines.wrap("家家家", to: 5) == ["家家", "家"])
        #expect(TextLines.wrap("a b", to: 0) == ["a", "b"])
        #expect(TextLines.wrap("家", to: 1) == ["家"])
    }
}
