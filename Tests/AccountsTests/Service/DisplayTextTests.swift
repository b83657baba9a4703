import Foundation
import Testing

@testable import Accounts

@Suite("Names and devices")
struct DisplayTextTests {
    @Test(
        "lose control characters and nothing else",
        arguments: [
            ("Maya", "Maya"), ("  Maya  ", "  Maya  "), ("Ma\u{0}ya", "Maya"),
            ("Maya\r\nNoah", "Maya Noah"), ("a\tb", "a b"), ("\u{1B}[31mred", "[31mred"),
            ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("e\u{301}", "e\u{301}"), ("\u{9B}x", "x"),
            ("<script>alert('x')</script>", "<script>alert('x')</script>"),
            ("\u{202E}abc", "\u{202E}abc"),
        ]
    )
    func cleaning(_ given: String, _ expected: String) {
        let cleaned = DisplayText.cleaned(given)
        #expect(cleaned.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
    }

    @Test("with nothing to see are none", arguments: ["", " ", "\n", "\u{0}\u{7}", "\u{3000}"])
    func emptiness(_ text: String) {
        #expect(DisplayText.cleaned(text) == nil)
    }

    @Test("count characters as people do, and are bounded in bytes besides")
    func limits() {
        let family = "👩‍👩‍👧‍👦"
        #expect(DisplayText.fits(String(repeating: family, count: 200), maximumCharacterCount: 200))
        #expect(!DisplayText.fits(String(repeating: "a", count: 201), maximumCharacterCount: 200))
        let stacked = "a" + String(repeating: "\u{301}", count: 10_000)
        #expect(stacked.count == 1)
        #expect(!DisplayText.fits(stacked, maximumCharacterCount: 200))
        #expect(DisplayText.clipped(stacked, maximumCharacterCount: 200).isEmpty)
        let clipped = DisplayText.clipped(
            String(repeating: family, count: 300),
            maximumCharacterCount: 200
        )
        #expect(clipped == String(repeating: family, count: 200))
    }
}
