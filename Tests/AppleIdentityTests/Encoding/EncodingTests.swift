import AppleIdentity
import Testing

@Suite struct EncodingTests {
    @Test(
        arguments: [
            ([], ""), ([0], "00"), ([0x0F, 0xF0], "0ff0"), ([0xDE, 0xAD, 0xBE, 0xEF], "deadbeef"),
        ] as [([UInt8], String)]
    )
    func hexadecimalHasTwoLowerCaseDigitsAByte(bytes: [UInt8], text: String) {
        #expect(Hexadecimal.encode(bytes) == text)
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
