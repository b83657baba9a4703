import Testing

@testable import SignedTokens

/// The examples of RFC 7520 that concern signatures by RSA and by elliptic curves.
///
/// Source: [RFC 7520, section 4](https://www.rfc-editor.org/rfc/rfc7520#section-4)
@Suite("RFC 7520") struct CookbookTests {
    private struct Example: Decodable {
        struct Input: Decodable {
            let payload: String
            let key: JSONWebKey
        }
        struct Output: Decodable {
            let compact: String
        }

        let input: Input
        let output: Output
    }

    @Test("Section 4.1: the RSA signature verifies, and its payload is read") func rsa() throws {
        let example = try VectorFile.read("4_1.rsa_v15_signature.json", as: Example.self)
        let token = try UnverifiedToken(example.output.compact)
        #expect(token.header.keyID == "bilbo.baggins@hobbiton.example")
        let verified = try token.verified(with: try example.input.key.verificationKey())
        #expect(String(decoding: verified.payload, as: UTF8.self) == example.input.payload)
    }

    @Test("Section 4.3: a token and a key of ES512 on P-521 are refused") func otherCurve() throws {
        let example = try VectorFile.read("4_3.ecdsa_signature.json", as: Example.self)
        #expect(throws: SignedTokenError.unsupportedAlgorithm("ES512")) {
            try UnverifiedToken(example.output.compact)
        }
        #expect(throws: SignedTokenError.unusableKey(reason: "its curve is not P-256")) {
            try example.input.key.verificationKey()
        }
    }
}
