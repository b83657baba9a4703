import Foundation
import Testing

@testable import SignedTokens

/// The quick reader of headers sees what the decoder sees, or nothing.
@Suite("Headers read without a decoder") struct FlatJSONTests {
    private func plain(_ json: Data) -> TokenHeader? {
        json.withUnsafeBytes { TokenHeader(plain: $0.bindMemory(to: UInt8.self)) }
    }

    private func expectAgreement(_ json: Data) {
        guard let header = plain(json) else { return }
        let decoded = try? JSONDecoder().decode(TokenHeader.self, from: json)
        #expect(header == decoded, "\(String(decoding: json, as: UTF8.self))")
    }

    @Test(
        "Apple's headers are read",
        arguments: [
            #"{"kid":"eXaunmL","alg":"RS256"}"#, #"{"alg":"ES256"}"#,
            #"{"typ":"JWT","alg":"ES256","kid":"ABC1234567","new":1,"newer":true}"#,
        ]
    )
    func usual(json: String) {
        #expect(plain(Data(json.utf8)) != nil)
        expectAgreement(Data(json.utf8))
    }

    @Test(
        "Everything unusual is left to the decoder",
        arguments: [
            "", "{}", #"{"kid":"A"}"#, #"{"alg":null}"#, #"{"alg":1}"#, #"{ "alg":"ES256"}"#,
            #"{"alg":"ES256","alg":"ES256"}"#, #"{"alg":"ES256","n":1,"o":1,"n":1}"#,
            #"{"alg":"ES256","kid":null}"#,
            #"{"alg":"ES256","crit":"x"}"#, #"{"alg":"ES256","b64":true}"#,
            #"{"alg":"ES256","jwk":{}}"#, #"{"\u0061lg":"ES256"}"#, #"{"alg":"ES256"}{"#,
        ]
    )
    func unusual(json: String) {
        #expect(plain(Data(json.utf8)) == nil)
    }

    @Test("Every change of one byte is read alike or not at all") func oneByte() {
        let json = Data(#"{"typ":"JWT","alg":"ES256","kid":"ABC1234567","n":10,"t":true}"#.utf8)
        for index in json.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = json
                changed[index] = byte
                expectAgreement(changed)
            }
            expectAgreement(json[..<index])
        }
    }

    @Test("Headers of the published vectors are read alike") func vectors() throws {
        let text = String(
            decoding: try VectorFile.data("json_web_signature_test.json"),
            as: UTF8.self
        )
        var headerCount = 0
        for part in text.split(whereSeparator: { !$0.isASCII || "\"., \n".contains($0) }) {
            guard let json = Base64URL.decode(String(part)) else { continue }
            if plain(json) != nil { headerCount += 1 }
            expectAgreement(json)
        }
        #expect(headerCount > 50)
    }
}
