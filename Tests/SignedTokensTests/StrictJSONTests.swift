import Foundation
import Testing

@testable import SignedTokens

/// Nothing that is not JSON in UTF-8 is read, not even where nobody looks.
@Suite struct StrictJSONTests {
    private struct Named: Decodable, Equatable {
        let name: String
    }

    private func decode(_ text: [UInt8]) -> Named? {
        try? StrictJSON.decode(Named.self, from: Data(text))
    }

    @Test func jsonIsDecoded() {
        #expect(decode(Array(#"{"name":"é","other":[1,{"x":"\u0001"}]}"#.utf8)) == Named(name: "é"))
    }

    @Test(arguments: [
        Array(#"{"name":"n","other":""#.utf8) + [0xFF, 0xFF] + Array(#""}"#.utf8),
        Array(#"{"name":"n","other":""#.utf8) + [0xC0, 0x80] + Array(#""}"#.utf8),
        Array(#"{"name":"n","other":""#.utf8) + [0x01] + Array(#""}"#.utf8),
        Array(#"{"name":"n","other":""#.utf8) + [0x0A] + Array(#""}"#.utf8),
        Array(#"{"name":"n","other":"\x"}"#.utf8),
        Array(#"{"name":"n"}"#.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }),
        Array(#"{"name":"n"} x"#.utf8),
        Array(#""name""#.utf8),
        [],
    ])
    func whatIsUnreadHasToBeJSONToo(text: [UInt8]) {
        #expect(decode(text) == nil)
    }

    @Test func keySetsAreStrict() {
        let rest = Array(#"{"kty":"EC","use":"enc","x":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        let document = Data(Array(#"{"keys":["#.utf8) + rest + Array("]}".utf8))
        #expect(throws: SignedTokenError.self) { try JSONWebKeySet(json: document) }
    }

    @Test func headersAreStrict() {
        let header = Array(#"{"alg":"RS256","x5c":[""#.utf8) + [0xFF] + Array(#""]}"#.utf8)
        let token = "\(Base64URL.encode(header)).e30.AAAA"
        #expect(
            throws: SignedTokenError.malformed(
                reason: "its header is not a JSON object with an \"alg\""
            )
        ) { try UnverifiedToken(token) }
    }
}
