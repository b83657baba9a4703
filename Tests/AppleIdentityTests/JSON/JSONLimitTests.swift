import AppleIdentity
import Foundation
import Testing

@Suite("Limits of JSON") struct JSONLimitTests {
    private func error(_ text: String, _ limits: JSONLimits = .message) -> JSONError.Reason? {
        do throws(JSONError) {
            _ = try JSONValue(parsing: Data(text.utf8), limits: limits)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "A repeated member is rejected in any spelling",
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
