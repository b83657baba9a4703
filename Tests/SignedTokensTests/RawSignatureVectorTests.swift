import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import SignedTokens

/// Wycheproof's raw signatures: forged paddings, ranges and lengths that a JWS can carry.
@Suite("Wycheproof, raw signatures") struct RawSignatureVectorTests {
    private struct Document<Group: Decodable>: Decodable {
        let numberOfTests: Int
        let testGroups: [Group]
    }

    private struct RSAGroup: Decodable {
        let publicKeyPem: String
        let tests: [Case]
    }

    private struct P256Group: Decodable {
        let publicKeyPem: String
        let tests: [Case]
    }

    private struct Case: Decodable {
        let tcId: Int
        let comment: String
        let msg: HexadecimalData
        let sig: HexadecimalData
        let result: Verdict
    }

    @Test("RSA 2048, PKCS #1 v1.5, SHA-256") func rsa() throws {
        let name = "rsa_signature_2048_sha256_test.json"
        let document = try VectorFile.read(name, as: Document<RSAGroup>.self)
        #expect(document.testGroups.map(\.tests.count).reduce(0, +) == document.numberOfTests)
        for group in document.testGroups {
            let key = try _RSA.Signing.PublicKey(pemRepresentation: group.publicKeyPem)
            check(group.tests, against: VerificationKey(key))
        }
    }

    @Test("P-256, SHA-256, R and S side by side") func p256() throws {
        let name = "ecdsa_secp256r1_sha256_p1363_test.json"
        let document = try VectorFile.read(name, as: Document<P256Group>.self)
        #expect(document.testGroups.map(\.tests.count).reduce(0, +) == document.numberOfTests)
        for group in document.testGroups {
            check(group.tests, against: try VerificationKey(p256PEM: group.publicKeyPem))
        }
    }

    /// A signature that the vectors call acceptable, a missing NULL, is refused here as well.
    private func check(_ tests: [Case], against key: VerificationKey) {
        for test in tests {
            let isValid = key.isValid(signature: test.sig.data, over: test.msg.data)
            #expect(isValid == (test.result == .valid), "\(test.tcId) \(test.comment)")
        }
    }
}
