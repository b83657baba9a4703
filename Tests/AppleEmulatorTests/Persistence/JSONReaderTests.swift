import AppleIdentity
import Foundation
import Testing

@testable import AppleEmulator

@Suite("Reading large JSON texts")
struct JSONReaderTests {
    private static func read(_ text: String) throws -> JSONValue {
        try JSONReader.read(Data(text.utf8))
    }

    @Test(
        "Values are read as another decoder reads them",
        arguments: [
            "null", "true", " false ", "0", "-7", "12.5", "1e3", "-0.25E-2", "\"\"", "[]", "{}",
            "[1,[2,{}],\"a\"]", "{\"a\":{\"b\":[null]},\"c\":\"d\"}",
            "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83c\\udf4f\u{1F34F}\"", "\"\u{7F}\"",
            "[\n1 ,\t2\r]", "9223372036854775807", "9223372036854775808",
        ]
    )
    func values(text: String) throws {
        #expect(try Self.read(text) == JSONValue(parsing: Data(text.utf8)))
    }

    @Test("Members keep their order")
    func order() throws {
        let text = "{\"b\":1,\"a\":{\"d\":2,\"c\":3}}"
        #expect(try Self.read(text).text == text)
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "nul", "tru", "+1", "01", "1.", ".5", "1e", "--1", "NaN", "1e999", "'a'",
            "\"a",
            "\"\n\"", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\"\\ud83c\"", "\"\\ud83cx\"",
            "\"\\ud83c\\u0041\"", "\"\\udf4f\"", "[1", "[1,]", "[,]", "[1 2]", "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}", "{a:1}", "{\"a\":1 \"b\":2}", "{", "}", "1 2", "[]]", "\"\\",
            String(repeating: "[", count: 100_000),
            String(repeating: "1", count: 100),
        ]
    )
    func refused(text: String) {
        #expect(throws: SeedError.self) { try Self.read(text) }
    }

    @Test("Bytes that are no UTF-8 are refused")
    func encoding() {
        #expect(throws: SeedError.self) { try JSONReader.read(Data([0x22, 0xFF, 0x22])) }
        #expect(throws: SeedError.self) {
            try JSONReader.read(Data([0x22, 0x5C, 0x6E, 0xC3, 0x22]))
        }
    }

    @Test("A mistake has its line")
    func line() throws {
        let error = #expect(throws: SeedError.self) { try Self.read("[\n1,\n\n?]") }
        #expect(error?.line == 4)
    }
}
