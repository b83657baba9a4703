import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import SignedTokens

/// Wycheproof's raw signatures: forged paddings, ranges and lengths that a JWS can carry.
@Suite("Wycheproof, raw signatures") struct RawSignatureVectorTests {
    private struct Document: Decodable {
        let numberOfTests: Int
        let testGroups: [Group]
    }

    private struct Group: Decodable {
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

    @Test("RSA 2048, PKCS #1 v1.5, SHA-256: all 259") func rsa() throws {
        try check("rsa_signature_2048_sha256_test.json", caseCount: 259) { pem in
            VerificationKey(try _RSA.Signing.PublicKey(pemRepresentation: pem))
        }
    }

    @Test("P-256, SHA-256, R and S side by side: all 262") func p256() throws {
        try check("ecdsa_secp256r1_sha256_p1363_test.json", caseCount: 262) { pem in
            try VerificationKey(p256PEM: pem)
        }
    }

    /// A signature that the vectors call acceptable, a missing NULL, is refused here as well.
    private func check(
        _ file: String,
        caseCount: Int,
        key: (String) throws -> VerificationKey
    ) throws {
        let document = try VectorFile.read(file, as: Document.self)
        #expect(document.numberOfTests == caseCount)
        #expect(document.testGroups.map(\.tests.count).reduce(0, +) == caseCount)
        for group in document.testGroups {
            let key = try key(group.publicKeyPem)
            for test in group.tests {
                let isValid = key.isValid(signature: test.sig.data, over: test.msg.data)
                #expect(isValid == (test.result == .valid), "\(test.tcId) \(test.comment)")
            }
        }
    }
}
