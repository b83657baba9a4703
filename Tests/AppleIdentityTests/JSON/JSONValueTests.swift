import Foundation
import Testing

@testable import AppleIdentity

@Suite("JSON with members in order") struct JSONValueTests {
    @Test("Members are written in order, at every depth") func order() {
        let object: JSONObject = ["z": 1, "a": ["y": true, "b": .null], "m": [1, "two"]]
        #expect(object.text == #"{"z":1,"a":{"y":true,"b":null},"m":[1,"two"]}"#)
        #expect(JSONValue.object(object).text == object.text)
        #expect(object.data == Data(object.text.utf8))
        #expect(object.names == ["z", "a", "m"])
    }

    @Test("A changed member keeps its place, a new one comes last, nil removes") func change() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = 4
        object["b"] = nil
        object["d"] = nil
        #expect(object.text == #"{"a":3,"c":4}"#)
        #expect(object["a"] == 3 && object["b"] == nil)
    }

    @Test(
        "Only what RFC 8259 requires is escaped",
        arguments: [
            ("\"", #""\"""#), ("\\", #""\\""#), ("\n\r\t", #""\n\r\t""#),
            ("\u{0}", #""\u0000""#), ("\u{8}", #""\u0008""#), ("\u{1F}", #""\u001f""#),
            ("\u{7F}", "\"\u{7F}\""), ("a/b", "\"a/b\""), ("é😀\u{2028}", "\"é😀\u{2028}\""),
            ("\r\n", #""\r\n""#), ("</script>", "\"</script>\""),
        ]
    ) func escaping(text: String, expected: String) throws {
        #expect(JSONValue.string(text).text == expected)
        #expect(JSONObject([.init(name: text, value: 1)]).text == "{\(expected):1}")
        #expect(try JSONValue(parsing: Data(expected.utf8)) == .string(text))
    }

    @Test("Numbers keep their kind; one that JSON cannot write becomes null") func numbers() {
        let values: [JSONValue] = [
            0, -1, .integer(.max), .integer(.min), .number(0.5), .number(.nan),
            .number(.infinity),
        ]
        let expected = "[0,-1,9223372036854775807,-9223372036854775808,0.5,null,null]"
        #expect(JSONValue.array(values).text == expected)
    }

    @Test("A written value is read again") func roundTrip() throws {
        let value: JSONValue = [
            "array": [1, .number(2.5), "three", true, .null, []], "object": ["inner": [:]],
            "text": "\"\\\u{1}",
        ]
        #expect(try JSONValue(parsing: value.data) == value)
    }

    @Test("A number that a Double rounds to a whole one is written and read as that")
    func rounding() throws {
        for text in ["-9223372036854775808082.5e-3", "4503599627370497.00001", "1.0", "1e3"] {
            let value = try JSONValue(parsing: Data(text.utf8))
            #expect(value.integerValue != nil, "\(text)")
            #expect(try JSONValue(parsing: value.data) == value, "\(text)")
        }
    }

    @Test("Each view sees its own kind only") func views() {
        let values: [JSONValue] = [.null, true, 1, .number(1.5), "a", [1], ["a": 1]]
        #expect(values.count { $0.isNull } == 1)
        #expect(values.compactMap(\.booleanValue) == [true])
        #expect(values.compactMap(\.integerValue) == [1])
        #expect(values.compactMap(\.numberValue) == [1, 1.5])
        #expect(values.compactMap(\.stringValue) == ["a"])
        #expect(values.compactMap(\.arrayValue) == [[1]])
        #expect(values.compactMap(\.objectValue) == [["a": 1]])
        let claims: [JSONValue] = [true, "true", "false", "True", 1, ["a"], ["a", 1], [], .null]
        #expect(claims.compactMap(\.lenientBooleanValue) == [true, true, false])
        #expect(claims.compactMap(\.textsValue) == [["a"], []])
    }
}
