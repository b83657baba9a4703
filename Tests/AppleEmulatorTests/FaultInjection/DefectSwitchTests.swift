import AppleIdentity
import Foundation
import HTTPTypes
import SignedTokens
import Testing

@testable import AppleEmulator

// Fidelity: claim-9, claim-10
@Suite("Switches that make identity tokens wrong") struct DefectSwitchTests {
    private static func token(_ defect: String, _ others: JSONObject = [:]) async throws -> (
        text: String, box: Box
    ) {
        var switches = others
        switches["identity_token_defect"] = .string(defect)
        let box = try await Box { $0.switches = switches }
        return (try await box.signInOnTheWeb()["id_token"] ?? "", box)
    }

    @Test("One claim is wrong, or missing, and the others stay right") func claims() async throws {
        let right = TokenText(try await Self.token("none").text).claims
        for (defect, names) in [
            ("wrong_issuer", ["iss"]), ("wrong_audience", ["aud"]), ("wrong_nonce", ["nonce"]),
            ("wrong_code_hash", []), ("expired", []), ("issued_in_the_future", []),
        ] {
            let claims = TokenText(try await Self.token(defect).text).claims
            #expect(claims.names == right.names)
            for name in ["iss", "aud", "nonce"] {
                #expect((claims[name] != right[name]) == names.contains(name), "\(defect): \(name)")
            }
        }
        let withoutNonce = TokenText(try await Self.token("nonce_missing").text).claims
        #expect(withoutNonce["nonce"] == nil && withoutNonce["nonce_supported"] == true)
    }

    @Test("Times are wrong by an hour, and the life stays") func times() async throws {
        let right = TokenText(try await Self.token("none").text).claims
        let life = try #require(right["exp"]?.integerValue) - (right["iat"]?.integerValue ?? 0)
        for (defect, distance) in [("expired", -3_600 - life), ("issued_in_the_future", 3_600)] {
            let (text, box) = try await Self.token(defect)
            let claims = TokenText(text).claims
            #expect(claims["iat"]?.integerValue == box.now + distance)
            #expect(claims["exp"]?.integerValue == box.now + distance + life)
        }
    }

    @Test("A signature is wrong, missing, or of a key that is not published")
    func signatures() async throws {
        for defect in ["none", "bad_signature", "unknown_key", "unsigned"] {
            let (text, box) = try await Self.token(defect)
            let keys = try JSONWebKeySet(json: await box.send(.get, "/auth/keys").answer.body)
                .verificationKeys()
            let header = try JSONObject(
                parsing: Base64URL.decode(String(text.prefix { $0 != "." })) ?? Data()
            )
            #expect(header["alg"] == (defect == "unsigned" ? "none" : "RS256"))
            let token = try? UnverifiedToken(text)
            let key = keys[token?.header.keyID ?? ""]
            let isVerified = key.map { (try? token?.verified(with: $0)) ?? nil != nil } ?? false
            #expect(isVerified == (defect == "none"), "\(defect)")
        }
    }

    @Test("The address in tokens is another one, verified or not as the person's own")
    func address() async throws {
        let box = try await Box { $0.switches = ["email_address": "noah@example.com"] }
        let fields = try await box.signInOnTheWeb()
        let claims = TokenText(fields["id_token"]).claims
        #expect(claims["email"] == "noah@example.com" && claims["email_verified"] == true)
    }
}
