import AppleIdentity
import Foundation
import Testing

@testable import SignInWithApple

@Suite("Names and devices")
struct DisplayTextTests {
    @Test(
        "lose their invisible characters and nothing else",
        arguments: [
            ("Maya", "Maya"), ("  Maya  ", "  Maya  "), ("Ma\u{0}ya", "Maya"),
            ("Maya\r\nNoah", "Maya Noah"), ("a\tb", "a b"), ("\u{1B}[31mred", "[31mred"),
            ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("e\u{301}", "e\u{301}"), ("\u{9B}x", "x"),
            ("<script>alert('x')</script>", "<script>alert('x')</script>"),
            ("\u{202E}ayaM\u{202C}", "ayaM"), ("\u{2066}M\u{2069}", "M"), ("Ma\u{200B}ya", "Maya"),
            ("\u{FEFF}Maya\u{200E}\u{61C}", "Maya"), ("Ma\u{AD}ya", "Maya"), ("a\u{2028}b", "a b"),
            // Joiners inside Persian and Malayalam words, and nowhere else.
            ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("ന്\u{200D}", "ന്"),
            ("ക്\u{200D}ഷ", "ക്\u{200D}ഷ"),
            ("Maya\u{200D} N", "Maya N"), ("\u{200C}Maya\u{200D}", "Maya"),
            ("❤️\u{200D}🔥", "❤️\u{200D}🔥"), ("葛\u{E0100}城", "葛\u{E0100}城"), ("\u{FE0F}a", "a"),
            (
                "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
                "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
            ),
            ("a\u{E0067}\u{E007F}", "a"), ("\u{600}12", "\u{600}12"),
        ]
    )
    func cleaning(_ given: String, _ expected: String) {
        let cleaned = DisplayText.cleaned(given)
        #expect(cleaned.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
    }

    @Test(
        "without a visible character are nil",
        arguments: [
            "", " ", "\n", "\u{0}\u{7}", "\u{3000}", "\u{202E}\u{2069}", "\u{3164}",
            "\u{2800} \u{200B}",
        ]
    )
    func emptiness(_ text: String) {
        #expect(DisplayText.cleaned(text) == nil)
    }

    @Test("have a limit of characters as users count them, and one of bytes")
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

    @Test("that are names are rejected if they are too long, and cleaned part by part")
    func personName() async throws {
        let name = PersonName(givenName: "\u{202E}Maya", familyName: "\u{200B}")
        #expect(try name.checked() == PersonName(givenName: "Maya"))
        #expect(try PersonName(givenName: "\u{2066}").checked() == nil)
        let half = String(repeating: "a", count: 100)
        await expectRefusal(.nameTooLong) {
            try PersonName(givenName: half, familyName: half).checked()
        }
        let stacked = "a" + String(repeating: "\u{301}", count: 10_000)
        await expectRefusal(.nameTooLong) { try PersonName(givenName: stacked).checked() }
    }
}
