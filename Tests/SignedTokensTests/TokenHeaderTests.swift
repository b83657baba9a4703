import Crypto
import Foundation
import Testing

@testable import SignedTokens

/// The content of a header, and what makes a token invalid before its signature is verified.
@Suite("A token's form and header") struct TokenHeaderTests {
    private static let key = SigningKey(P256.Signing.PrivateKey())

    private func token(header: String, payload: String = "{}") throws -> String {
        try Self.key.sign(header: Data(header.utf8), payload: Data(payload.utf8))
    }

    @Test("The smallest header is an alg; unknown members are passed over") func accepted() throws {
        for header in [
            #"{"alg":"ES256"}"#, #"{"alg":"ES256","typ":"JWT","kid":"A"}"#,
            #"{ "alg" : "ES256", "b64" : true }"#,
            #"{"alg":"ES256","jku":"https://example.com","jwk":{"kty":"oct"},"x5c":["x"]}"#,
        ] {
            let token = try UnverifiedToken(try token(header: header))
            #expect(throws: Never.self) { try token.verified(with: Self.key.verificationKey) }
        }
    }

    @Test(
        "Algorithms other than RS256 and ES256 are refused by name",
        arguments: [
            "none", "None", "NONE", "", "HS256", "RS384", "RS512", "PS256", "ES384", "ES512",
            "EdDSA", "es256", "ES256 ",
        ]
    ) func otherAlgorithms(name: String) throws {
        let token = try token(header: #"{"alg":"\#(name)"}"#)
        #expect(throws: SignedTokenError.unsupportedAlgorithm(name)) { try UnverifiedToken(token) }
    }

    @Test("A long algorithm's name is cut in the error") func longAlgorithm() throws {
        let token = try token(header: #"{"alg":"\#(String(repeating: "A", count: 99))"}"#)
        let error = SignedTokenError.unsupportedAlgorithm(String(repeating: "A", count: 16))
        #expect(throws: error) { try UnverifiedToken(token) }
    }

    @Test("Critical extensions are refused, also an empty list of them") func critical() throws {
        let cases: [(header: String, names: [String])] = [
            (#"{"alg":"ES256","crit":["exp"],"exp":1}"#, ["exp"]),
            (#"{"alg":"ES256","crit":["b64"],"b64":true}"#, ["b64"]),
            (#"{"alg":"ES256","crit":[]}"#, []),
            (#"{"alg":"ES256","b64":false}"#, ["b64"]),
        ]
        for (header, names) in cases {
            let token = try token(header: header)
            #expect(throws: SignedTokenError.criticalExtension(names), "\(header)") {
                try UnverifiedToken(token)
            }
        }
    }

    @Test(
        "A header without a string as alg, or with members of other types, is malformed",
        arguments: [
            "{}", "{\"alg\":null}", "{\"alg\":1}", "{\"alg\":[\"ES256\"]}",
            "{\"alg\":\"ES256\",\"kid\":1}", "{\"alg\":\"ES256\",\"typ\":{}}",
            "{\"alg\":\"ES256\",\"crit\":\"exp\"}", "{\"alg\":\"ES256\",\"b64\":\"false\"}",
            "{\"Alg\":\"ES256\"}", "{\"alg\":\"ES256\",\"crit\":[1]}",
        ]
    ) func malformedHeader(header: String) throws {
        let token = try token(header: header)
        let error = #expect(throws: SignedTokenError.self) { try UnverifiedToken(token) }
        #expect(error == .malformed(reason: "its header is not a JSON object with an \"alg\""))
    }

    @Test(
        "A header that is not a JSON object is malformed, and the error has the place",
        arguments: [
            ("", "it ends too early, at byte 0"),
            ("[]", "it is not an object, at byte 0"),
            ("\"ES256\"", "it is not an object, at byte 0"),
            ("{\"alg\":\"ES256\"", "it ends too early, at byte 14"),
            ("{\"alg\":\"ES256\"}x", "unexpected data follows the value, at byte 15"),
            ("{\"alg\":\"\n\"}", "a string has a control character, at byte 8"),
        ]
    ) func noJSON(header: String, words: String) throws {
        let token = try token(header: header)
        #expect(throws: SignedTokenError.malformed(reason: "its header is invalid: " + words)) {
            try UnverifiedToken(token)
        }
    }

    @Test(
        "A header with a member twice is malformed, however its name is spelled",
        arguments: [
            #"{"alg":"ES256","alg":"ES256"}"#, #"{"alg":"none","alg":"ES256"}"#,
            #"{"alg":"ES256","kid":"A","kid":"B"}"#, #"{"alg":"ES256","new":1,"new":1}"#,
            #"{"alg":"ES256","\u0061lg":"ES256"}"#, #"{ "alg":"ES256", "alg":"ES256" }"#,
            #"{"alg":"ES256","jwk":{"kty":"oct","kty":"oct"}}"#,
        ]
    ) func doubledMember(header: String) throws {
        let token = try token(header: header)
        let error = #expect(throws: SignedTokenError.self) { try UnverifiedToken(token) }
        guard case .malformed(let reason) = error else {
            Issue.record("\(header)")
            return
        }
        #expect(reason.hasPrefix("its header is invalid: it has the member \""))
        #expect(reason.contains("\" twice, at byte "))
    }

    @Test("A header has at most 4 KiB") func longHeader() throws {
        let filling = String(repeating: "x", count: TokenHeader.maximumByteCount)
        let token = try token(header: #"{"alg":"ES256","new":"\#(filling)"}"#)
        let reason = "its header is invalid: it is longer than 4096 bytes"
        #expect(throws: SignedTokenError.malformed(reason: reason)) { try UnverifiedToken(token) }
    }

    @Test("A token has three parts", arguments: [1, 2, 4, 5]) func parts(count: Int) {
        let token = Array(repeating: "e30", count: count).joined(separator: ".")
        let error = SignedTokenError.malformed(
            reason: "it has \(count) part\(count == 1 ? "" : "s") instead of 3"
        )
        #expect(throws: error) { try UnverifiedToken(token) }
    }

    @Test("A part with invalid characters is named") func invalidCharacters() throws {
        let valid = try token(header: #"{"alg":"ES256"}"#).split(separator: ".").map(String.init)
        for (index, name) in ["header", "payload", "signature"].enumerated() {
            for invalid in ["=", " ", "\n", "+", "é"] {
                var parts = valid
                parts[index] += invalid
                let reason = "its \(name) is not base64url without padding"
                #expect(throws: SignedTokenError.malformed(reason: reason)) {
                    try UnverifiedToken(parts.joined(separator: "."))
                }
            }
        }
    }

    @Test("The longest token is 16 KiB, counted before anything is decoded") func sizes() throws {
        #expect(UnverifiedToken.maximumByteCount == 16_384)
        let short = try token(header: #"{"alg":"ES256"}"#)
        let longest = String(repeating: "x", count: UnverifiedToken.maximumByteCount)
        #expect(throws: SignedTokenError.malformed(reason: "it has 1 part instead of 3")) {
            try UnverifiedToken(longest)
        }
        #expect(throws: SignedTokenError.tooLong(byteCount: 16_385, limit: 16_384)) {
            try UnverifiedToken(longest + "x")
        }
        let limit = short.utf8.count - 1
        #expect(throws: SignedTokenError.tooLong(byteCount: limit + 1, limit: limit)) {
            try UnverifiedToken(short, maximumByteCount: limit)
        }
    }
}
