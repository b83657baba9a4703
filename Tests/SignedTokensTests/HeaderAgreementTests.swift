import Foundation
import Testing

@testable import SignedTokens

/// A header is equal to the one that Foundation reads, or it is rejected.
@Suite("Headers, compared with Foundation") struct HeaderAgreementTests {
    /// Whether the header was read; when it was, Foundation has to see the same.
    private func isRead(_ json: Data) -> Bool {
        let header = json.withUnsafeBytes { try? TokenHeader($0.bindMemory(to: UInt8.self)) }
        guard let header else { return false }
        let words = String(decoding: json, as: UTF8.self)
        let members = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
        #expect(members?["alg"] as? String == header.algorithm, "\(words)")
        #expect(members?["kid"] as? String == header.keyID, "\(words)")
        #expect(members?["typ"] as? String == header.type, "\(words)")
        #expect(members?["crit"] as? [String] == header.criticalExtensions, "\(words)")
        #expect(members?["b64"] as? Bool == header.isPayloadEncoded, "\(words)")
        return true
    }

    @Test(
        "Members in a usual or an unusual form are read",
        arguments: [
            #"{"kid":"eXaunmL","alg":"RS256"}"#, #"{"alg":"ES256"}"#, #"{ "\u0061lg":"ES256" }"#,
            #"{"typ":"JWT","alg":"ES256","kid":"ABC1234567","new":1,"newer":true}"#,
            #"{"alg":"ES256","kid":null,"jwk":{"x":[1.5]},"crit":["exp"],"b64":true}"#,
            #"{"alg":"\u0045S256","kid":"é\ud83d\ude00","typ":""}"#,
        ]
    )
    func forms(json: String) {
        #expect(isRead(Data(json.utf8)))
    }

    @Test("Every change of one byte is read alike or not at all") func oneByte() {
        let json = Data(#"{"typ":"JWT","alg":"ES256","kid":"ABC1234567","n":10,"t":true}"#.utf8)
        var readCount = 0
        for index in json.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = json
                changed[index] = byte
                if isRead(changed) { readCount += 1 }
            }
            #expect(!isRead(json[..<index]))
        }
        #expect(readCount > 1_000)
    }

    @Test("Headers of the published vectors are read alike") func vectors() throws {
        let text = String(
            decoding: try VectorFile.data("json_web_signature_test.json"),
            as: UTF8.self
        )
        let parts = text.split(whereSeparator: { !$0.isASCII || "\"., \n".contains($0) })
        let headers = parts.compactMap { Base64URL.decode(String($0)) }.filter { isRead($0) }
        #expect(headers.count > 50)
    }
}
