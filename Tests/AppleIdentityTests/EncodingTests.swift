import AppleIdentity
import Testing

@Suite struct EncodingTests {
    @Test func fieldsOfAFormAreEncodedAndDecoded() {
        let text = FormCoding.encode([("redirect_uri", "https://a.example/?b"), ("é &", "")])
        #expect(text == "redirect_uri=https%3A%2F%2Fa.example%2F%3Fb&%C3%A9%20%26=")
        #expect(FormCoding.text(text.split(separator: "&")[1].dropLast().utf8) == "é &")
        #expect(FormCoding.text("a+b%2B".utf8) == "a b+")
        #expect(FormCoding.text("%zz".utf8) == nil)
    }

    @Test(
        arguments: [
            ([], ""), ([0], "00"), ([0x0F, 0xF0], "0ff0"), ([0xDE, 0xAD, 0xBE, 0xEF], "deadbeef"),
        ] as [([UInt8], String)]
    )
    func hexadecimalHasTwoLowerCaseDigitsAByte(bytes: [UInt8], text: String) {
        #expect(Hexadecimal.encode(bytes) == text)
    }

    @Test(
        "UTF-8 is read as it is, a byte order mark and U+FFFD included",
        arguments: [
            "", "abc", "Bj\u{F8}rn", "\u{FEFF}abc", "\u{FFFD}", "e\u{301}", "박건규", "🍊\u{0}",
        ]
    )
    func textOfUTF8(text: String) {
        #expect(String(utf8: Array(text.utf8)).map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(
        "Bytes that are not UTF-8 are not decoded",
        arguments: [
            [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x61, 0xEF, 0xBF], [0xEF, 0xBF, 0xBD, 0xFF],
        ] as [[UInt8]]
    )
    func noTextOfOtherBytes(bytes: [UInt8]) {
        #expect(String(utf8: bytes) == nil)
    }

    @Test(arguments: [
        ("", "", true), ("abc", "abc", true), ("abc", "abd", false), ("abc", "Abc", false),
        ("abc", "ab", false), ("", "a", false),
        // The same to a reader, but not the same bytes.
        ("\u{E9}", "e\u{301}", false), ("a\u{301}", "\u{E1}b", false),
    ])
    func equalityIsThatOfBytes(left: String, right: String, isEqual: Bool) {
        #expect(ConstantTime.isEqual(left, right) == isEqual)
    }
}
