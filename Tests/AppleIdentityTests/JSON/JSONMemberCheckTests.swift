import Foundation
import Testing

@testable import AppleIdentity

@Suite struct JSONMemberCheckTests {
    private static func problem(of text: String) -> JSONMemberCheck.Problem? {
        do {
            try JSONMemberCheck.check(Data(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "a"), (#"{"a":{"b":1,"c":2,"b":3}}"#, "b"),
        (#"[{"a":[{"x":1},{"x":1,"x":1}]}]"#, "x"), (#"{"a":1,"\u0061":2}"#, "a"),
        (#"{"a":{},"b":[],"a":[]}"#, "a"), (#"{"":1,"":2}"#, ""), (#"{"\"":1,"\"":2}"#, "\""),
    ])
    func findsADoubledName(text: String, name: String) {
        #expect(Self.problem(of: text) == .duplicate(name: name))
    }

    @Test(arguments: [
        "", "1", "{}", #"{"a":1,"b":2}"#, #"[{"a":1},{"a":1}]"#, #"{"a":{"a":{"a":"a"}}}"#,
        #"{"a":"a","b":"a"}"#, #"{"a":["a","a"]}"#, #"{"a":"\",\"a\":"}"#, #"{"a"#, #"{"a\"#, "}}]",
        #"{"a":1,"A":2}"#,
    ])
    func letsOtherTextPass(text: String) {
        #expect(Self.problem(of: text) == nil)
    }

    @Test func hasLimits() {
        let depth = JSONMemberCheck.maximumDepth
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(Self.problem(of: nested) == nil)
        #expect(Self.problem(of: "[" + nested + "]") == .tooDeep)
        let long = String(repeating: " ", count: JSONMemberCheck.maximumByteCount + 1)
        #expect(Self.problem(of: long) == .tooLong)
    }
}
