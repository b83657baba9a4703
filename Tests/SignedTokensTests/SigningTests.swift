import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import SignedTokens

@Suite("Signing and verifying") struct SigningTests {
    private static let rsa: SigningKey? =
        (try? _RSA.Signing.PrivateKey(keySize: .bits2048)).map { SigningKey($0) }

    private func keys() throws -> [SigningKey] {
        [try #require(Self.rsa), SigningKey(P256.Signing.PrivateKey())]
    }

    private func sign(with key: SigningKey, header: String? = nil) throws -> String {
        let header = header ?? #"{"alg":"\#(key.algorithm.rawValue)"}"#
        return try key.sign(header: Data(header.utf8), payload: Data(#"{"sub":"1"}"#.utf8))
    }

    @Test("A key's signature is verified by its public half") func roundTrip() throws {
        for key in try keys() {
            let token = try UnverifiedToken(try sign(with: key))
            let verified = try token.verified(with: key.verificationKey)
            #expect(verified.payload == Data(#"{"sub":"1"}"#.utf8))
            #expect(token.header.algorithm == key.algorithm.rawValue)
        }
    }

    @Test("Another key of the same kind refuses") func otherKey() throws {
        let token = try UnverifiedToken(try sign(with: SigningKey(P256.Signing.PrivateKey())))
        #expect(throws: SignedTokenError.invalidSignature) {
            try token.verified(with: SigningKey(P256.Signing.PrivateKey()).verificationKey)
        }
    }

    @Test("The key decides the algorithm, not the token") func algorithmMismatch() throws {
        let keys = try keys()
        let token = try UnverifiedToken(try sign(with: keys[0]))
        #expect(throws: SignedTokenError.algorithmMismatch(token: .rs256, key: .es256)) {
            try token.verified(with: keys[1].verificationKey)
        }
        let lie = try UnverifiedToken(try sign(with: keys[0], header: #"{"alg":"ES256"}"#))
        #expect(throws: SignedTokenError.algorithmMismatch(token: .es256, key: .rs256)) {
            try lie.verified(with: keys[0].verificationKey)
        }
    }

    @Test("One changed bit anywhere makes the token invalid") func tampering() throws {
        for key in try keys() {
            let parts = try sign(with: key).split(separator: ".").map(String.init)
            for part in 1...2 {
                var bytes = try #require(Base64URL.decode(parts[part]))
                bytes[bytes.count / 2] ^= 1
                var changed = parts
                changed[part] = Base64URL.encode(bytes)
                let token = try UnverifiedToken(changed.joined(separator: "."))
                #expect(throws: SignedTokenError.invalidSignature) {
                    try token.verified(with: key.verificationKey)
                }
            }
        }
    }

    @Test("A DER signature is not a JWS signature") func signatureForm() throws {
        let key = P256.Signing.PrivateKey()
        let signingInput = try sign(with: SigningKey(key)).split(separator: ".").dropLast()
            .joined(separator: ".")
        let signature = try key.signature(for: Data(signingInput.utf8)).derRepresentation
        let token = try UnverifiedToken(signingInput + "." + Base64URL.encode(signature))
        #expect(throws: SignedTokenError.invalidSignature) {
            try token.verified(with: SigningKey(key).verificationKey)
        }
    }

    @Test("A P-256 key travels as PEM; an RSA key and nonsense do not") func pem() throws {
        let key = SigningKey(P256.Signing.PrivateKey())
        let pem = try #require(key.verificationKey.p256PEM)
        let token = try UnverifiedToken(try sign(with: key))
        #expect(throws: Never.self) { try token.verified(with: try VerificationKey(p256PEM: pem)) }
        #expect(try keys()[0].verificationKey.p256PEM == nil)
        let error = SignedTokenError.unusableKey(reason: "it is not a PEM public key on P-256")
        let other = P384.Signing.PrivateKey().publicKey.pemRepresentation
        for text in ["", "no key", other, P256.Signing.PrivateKey().pemRepresentation] {
            #expect(throws: error) { try VerificationKey(p256PEM: text) }
        }
    }

    @Test("The half hash is OpenID Connect's") func halfHash() {
        // OpenID Connect Core, appendix A.3 and A.4.
        #expect(HalfHash.make(of: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y").utf8.count == 22)
        #expect(
            HalfHash.make(of: "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")
                == "LDktKdoQak3Pk0cnXxCltA"
        )
    }
}
