import Accounts
import Foundation
import Testing

@Suite("Session tokens") struct SessionTokenTests {
    @Test("have 256 random bits: ten thousand differ, and each bit is set in about half")
    func randomness() throws {
        let count = 10_000
        var texts: Set<String> = []
        var bitCounts = [Int](repeating: 0, count: 256)
        for _ in 0..<count {
            let text = SessionToken().text
            texts.insert(text)
            let padded = text.replacing("-", with: "+").replacing("_", with: "/") + "="
            let bytes = try #require(Data(base64Encoded: padded))
            #expect(bytes.count == 32)
            for bit in 0..<256 where bytes[bit / 8] & (1 << UInt8(bit % 8)) != 0 {
                bitCounts[bit] += 1
            }
        }
        #expect(texts.count == count)
        // Eight standard deviations: a good generator fails this once in 10^12 runs.
        let tolerance = 8 * 0.5 * Double(count).squareRoot()
        #expect(bitCounts.allSatisfy { abs(Double($0) - Double(count) / 2) < tolerance })
    }

    @Test("are not revealed by printing")
    func discretion() {
        let token = SessionToken()
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped, String(describing: [token])] {
            #expect(!text.contains(token.text))
        }
    }

    @Test("are read only in their one form")
    func reading() {
        let token = SessionToken()
        #expect(SessionToken(token.text) == token)
        for text in [
            "", "x", token.text + "A", token.text + "=", String(token.text.dropLast()) + " ",
        ] {
            #expect(SessionToken(text) == nil)
        }
    }
}
