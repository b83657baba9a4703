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
        "Texts are what their escapes mean",
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
        "What is no JSON is refused",
        arguments: [
            "", " ", "nul", "tru", "nulL", "+1", "01", "-01", "-", "1.", ".5", "1e", "1e+", "--1",
            "NaN", "1e999", "-1e999", "0x1", "'a'", "\"a", "\"\n\"", "\"abcdefgh\u{1F}\"", #""\x""#,
            #""\u12""#, #""\u+123""#, #""\ud83c""#, #""\ud83cx""#, #""\ud83c\u0041""#,
            #""\ud83c\n""#, #""\udf4f""#, #""\"#, #""\u"#, "[1", "[1,]", "[,]", "[,1]", "[1 2]",
            "[1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{\"a\":1 \"b\":2}",
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
            #expect(reason([mark] + filling + bytes + [mark]) == .malformed("a text is not UTF-8"))
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

    @Test("Only integers count as such; each view sees its own kind") func claimsViews() {
        let values: [JSONValue] = [
            true, "true", "false", "True", 1, .number(1.5), ["a"], ["a", 1], [], .null,
        ]
        #expect(values.compactMap(\.lenientBooleanValue) == [true, true, false])
        #expect(values.compactMap(\.textsValue) == [["a"], []])
        #expect(values.compactMap(\.numberValue) == [1, 1.5])
        #expect(values.count { $0.isNull } == 1)
    }
}

@Suite("What JSON may cost") struct JSONLimitTests {
    private func error(
        _ text: String,
        _ limits: JSONLimits = .message
    ) -> JSONError.Reason? {
        do throws(JSONError) {
            _ = try JSONValue(parsing: Data(text.utf8), limits: limits)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "A member that is there twice is refused, however it is spelled",
        arguments: [
            (#"{"a":1,"a":2}"#, "a"), (#"{"a":{"b":1,"c":2,"b":3}}"#, "b"),
            (#"[{"a":[{"x":1},{"x":1,"x":1}]}]"#, "x"), (#"{"a":1,"\u0061":2}"#, "a"),
            (#"{"\u0061":1,"a":2}"#, "a"), (#"{"a":{},"b":[],"a":[]}"#, "a"), (#"{"":1,"":2}"#, ""),
            (#"{"\"":1,"\"":2}"#, "\""), (#"{"é":1,"b":1,"é":2}"#, "é"),
            (#"{"b":1,"é":1,"b":2}"#, "b"),
            ("{\"\u{E9}\":1,\"e\u{301}\":2}", "e\u{301}"),
        ]
    )
    func duplicates(text: String, name: String) {
        #expect(error(text) == .duplicateMember(name))
    }

    @Test(
        "Other objects may have a member of that name",
        arguments: [
            #"[{"a":1},{"a":1}]"#, #"{"a":{"a":{"a":"a"}},"b":{"a":1}}"#, #"{"a":"a","b":"a"}"#,
            #"{"a":["a","a"]}"#, #"{"a":"\",\"a\":"}"#, #"{"a":1,"A":2,"aa":3,"é":{"é":1}}"#,
        ]
    )
    func noDuplicates(text: String) {
        #expect(error(text) == nil)
    }

    @Test("Duplicates are found among any number of members") func manyMembers() {
        for count in [31, 32, 33, 200, 1024] {
            let names = (0..<count).map { "\"name\($0)\":{\"name\($0)\":\($0)}" }
            let object = names.joined(separator: ",")
            #expect(error("{\(object)}") == nil)
            let again = "\"name\(count / 2)\":1"
            let limits = JSONLimits(maximumByteCount: .max, maximumMemberCount: 2048)
            #expect(error("{\(object),\(again)}", limits) == .duplicateMember("name\(count / 2)"))
        }
        let tooMany = (0...1024).map { "\"\($0)\":1" }.joined(separator: ",")
        #expect(error("{\(tooMany)}") == .tooManyMembers(limit: 1024))
    }

    @Test("Depth is limited, at no cost", arguments: ["[", "{\"a\":", "[{\"a\":"])
    func depth(opening: String) {
        #expect(error(String(repeating: opening, count: 30_000)) == .tooDeep(limit: 16))
        let nested = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect(error(nested) == nil)
        #expect(error("[\(nested)]") == .tooDeep(limit: 16))
        #expect(error("[" + String(repeating: "[],", count: 100) + "{}]") == nil)
        #expect(error(#"{"a":"\"[[[[[[[[[[[[[[[[[[[[[[[[","b":"\\"}"#) == nil)
    }

    @Test("Length is limited") func length() {
        let limits = JSONLimits(maximumByteCount: 4)
        #expect(error("1234", limits) == nil)
        #expect(error("12345", limits) == .tooLong(limit: 4))
        #expect(error(String(repeating: " ", count: 1024 * 1024 + 1)) == .tooLong(limit: 1_048_576))
    }
}
