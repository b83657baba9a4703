import AppleIdentity
import Foundation
import Testing

/// A small text must not be able to keep a processor busy.
@Suite struct JSONDepthTests {
    private func nested(_ levelCount: Int) -> Data {
        let opening = String(repeating: "[", count: levelCount)
        return Data((opening + "{}" + String(repeating: "]", count: levelCount)).utf8)
    }

    @Test func sixteenLevelsDecode() throws {
        #expect(try JSONValue(parsing: nested(15)).arrayValue?.count == 1)
    }

    @Test(arguments: [16, 400, 20_000])
    func deeperNestingIsRefused(levelCount: Int) {
        #expect(throws: DecodingError.self) { try JSONValue(parsing: nested(levelCount)) }
    }

    @Test func bracketsInStringsDoNotCount() throws {
        let text = #"{"a":"\"[[[[[[[[[[[[[[[[[[[[[[[[","b":"\\"}"#
        #expect(try JSONValue(parsing: Data(text.utf8)).objectValue?.names == ["a", "b"])
    }

    @Test func otherEncodingsAreRefused() throws {
        let text = try #require(#"{"a":[[]]}"#.data(using: .utf16LittleEndian))
        #expect(throws: DecodingError.self) { try JSONValue(parsing: text) }
    }
}
