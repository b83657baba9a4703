import AppleIdentity
import Foundation
import Testing

@Suite("Reading JSON") struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Data(text.utf8))
    }

    private func reason(_ text: [UInt8]) -> JSONError.Reason? {
        do throws(JSONError) {
            _ = try JSONValue(parsing: Data(text))
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Members keep their order") func order() throws {
        let text = #"{"b":1,"a":{"d":2,"c":3},"B":[]}"#
        #expect(try read(" { \"b\":1,\r\n\t\"a\":{\"d\":2,\"c\":3} , \"B\": [ ] } ").text == text)
    }

    @Test(
        "The escapes of strings are decoded",
        arguments: [
            (#""""#, ""), (#""abcdefg""#, "abcdefg"), (#""abcdefghijklmnop""#, "abcdefghijklmnop"),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u00E9""#, "éé"),
            (#""\ud83c\udf4f 🍏 \uD83C\uDF4F""#, "🍏 🍏 🍏"),
            ("\"\u{7F}é\u{10FFFF}\"", "\u{7F}é\u{10FFFF}"),
            (#""abcdefgh\u0000ijklmnop""#, "abcdefgh\u{0}ijklmnop"), (#""\ufffe""#, "\u{FFFE}"),
        ]
    )
    func texts(text: String, meaning: String) throws {
        let read = try #require(try read(text).stringValue)
        #expect(read.utf8.elementsEqual(meaning.utf8))
        #expect(try JSONObject(parsing: Data("{\(text):1}".utf8)).names == [meaning])
    }

    @Test(
        "Whole numbers that fit are integers, all others as near as a Double comes",
        arguments: [
            ("0", 0), ("-0", 0), ("-7", -7), ("1e3", 1000), ("1.0", 1), ("-0.0", 0),
            ("999999999999999999", 999_999_999_999_999_999),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("12.5", .number(12.5)),
            ("-0.25E-2", .number(-0.0025)), ("1E+300", .number(1e300)),
            ("-9223372036854775809", .integer(.min)),
        ] as [(String, JSONValue)]
    )
    func numbers(text: String, value: JSONValue) throws {
        #expect(try read(text) == value)
        #expect(try read("[\(text)]") == [value])
    }

    @Test(
        "Invalid JSON is rejected",
        arguments: [
            "", " ", "a", "nul", "tru", "nulL", "+1", "01", "-01", "-", "1.", ".5", "1e", "1e+",
            "--1",
            "NaN", "1e999", "-1e999", "0x1", "'a'", "\"a", "\"\n\"", "\"abcdefgh\u{1F}\"", #""\x""#,
            #""\u12""#, #""\u+123""#, #""\ud83c""#, #""\ud83cx""#, #""\ud83c\u0041""#,
            #""\ud83c\n""#, #""\udf4f""#, #""\"#, #""\u"#, "[1", "[1,", "[1,]", "[,]", "[,1]",
            "[1 2]",
            "[1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}",
            "{\"a\":1 \"b\":2}",
            "{1:2}",
            "{\"a\":1]", "{", "}", "]", "1 2", "[]]", "{}{}", "\u{FEFF}1", "1\u{0}", "\u{C}1",
            "/**/1",
            String(repeating: "1", count: 65), "1e" + String(repeating: "0", count: 63),
        ]
    )
    func refused(text: String) {
        #expect(reason(Array(text.utf8)) != nil)
    }

    @Test(
        "Bytes that are no UTF-8 are refused",
        arguments: [
            [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x5C, 0x6E, 0xC3],
        ] as [[UInt8]]
    )
    func encoding(bytes: [UInt8]) {
        let mark = UInt8(ascii: "\"")
        for filling in [[], Array("abcdefghijkl".utf8)] {
            let text = [mark] + filling + bytes + [mark]
            #expect(reason(text) == .malformed("a string is not UTF-8"))
        }
        let utf16 = #"{"a":1}"#.utf16.flatMap { unit in [UInt8(unit), 0] as [UInt8] }
        #expect(reason(utf16) != nil)
    }

    @Test(
        "A mistake has its place",
        arguments: [
            ("[\n1,\n\n?]", 4, 6), ("?", 1, 0), ("[1,\n", 2, 4), ("{\"a\":1,\n\"a\":2}", 2, 11),
            ("[\"a\n\"]", 1, 3),
        ]
    )
    func place(text: String, line: Int, offset: Int) throws {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.line == line && error?.offset == offset)
        #expect(error?.description.hasSuffix(", at byte \(offset)") == true)
    }
}
