import Foundation
import Testing

@testable import SignedTokens

@Suite("Base64url") struct Base64URLTests {
    @Test(
        "The examples of RFC 4648, section 10, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ]
    ) func examples(bytes: String, text: String) {
        #expect(Base64URL.encode(bytes.utf8) == text)
        #expect(Base64URL.decode(text) == Data(bytes.utf8))
    }

    @Test("Every byte is kept, with any neighbours") func roundTrips() {
        for length in 0...70 {
            for start in stride(from: 0, to: 256, by: 17) {
                let bytes = Data((0..<length).map { UInt8(truncatingIfNeeded: start + $0 * 7) })
                #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            }
        }
    }

    @Test("The two last letters of the alphabet are - and _") func alphabet() {
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.decode("-_8") == Data([0xFB, 0xFF]))
    }

    @Test(
        "Text that is not strict base64url is rejected",
        arguments: [
            "Zg==", "Zm8=", "+/8", "Zm9v ", " Zm9v", "Zm\n9v", "Zm9v\u{0}", "Z", "Zm9vY", "Zm9é",
            // Bits left over: two texts would stand for the same bytes.
            "Zh", "Zm9", "AB", "Zg-", "_", "Zm9v.", "Zm?v", "Zｍ9v",
        ]
    ) func refused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
