import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import SignedTokens

/// Every published case is run, whatever its algorithm, and only those meant for us pass.
@Suite("Wycheproof, every case") struct VectorCompletenessTests {
    /// One file, in as much of its form as all of them share.
    private struct Document<Group: Decodable>: Decodable {
        let numberOfTests: Int
        let testGroups: [Group]
    }

    private struct KeySetGroup: Decodable {
        let `public`: JSONWebKeySet.List?
        let `private`: JSONWebKeySet.List
        let tests: [JSONWebSignatureVectorTests.Case]
    }

    private struct RawGroup: Decodable {
        struct Case: Decodable {
            let msg: HexadecimalData
            let sig: HexadecimalData
            let result: Verdict
        }
        let publicKeyPem: String
        let tests: [Case]
    }

    /// How many cases were run, and how many of them passed.
    private struct Count: Equatable {
        var run = 0
        var accepted = 0
    }

    @Test("The files of the folder are the ones that a test runs") func files() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(
            names.filter { $0.hasSuffix(".json") }.sorted() == [
                "4_1.rsa_v15_signature.json", "4_3.ecdsa_signature.json",
                "ecdsa_secp256r1_sha256_p1363_test.json", "json_web_key_test.json",
                "json_web_signature_test.json", "rsa_signature_2048_sha256_test.json",
            ]
        )
    }

    @Test("JSON Web Signature: all 401, other algorithms included") func signatures() throws {
        let document = try VectorFile.read(
            "json_web_signature_test.json",
            as: Document<JSONWebSignatureVectorTests.Group>.self
        )
        var count = Count()
        for group in document.testGroups {
            let key = try? group.key.verificationKey()
            for test in group.tests {
                let token = try? UnverifiedToken(test.jws)
                let isAccepted = key.flatMap { try? token?.verified(with: $0) } != nil
                count.run += 1
                count.accepted += isAccepted ? 1 : 0
                let isMeant = group.isOurs && test.result == .valid
                #expect(isAccepted == isMeant, "\(test.tcId) \(test.comment)")
            }
        }
        #expect(count.run == document.numberOfTests && count.run == 401)
        #expect(count.accepted > 0)
    }

    @Test("JSON Web Key: all 26") func keys() throws {
        let document = try VectorFile.read("json_web_key_test.json", as: Document<KeySetGroup>.self)
        var count = Count()
        for group in document.testGroups {
            let keys = JSONWebKeySet(keys: (group.public ?? group.private).keys).verificationKeys()
            for test in group.tests {
                let token = try? UnverifiedToken(test.jws)
                let key = token?.header.keyID.flatMap { keys[$0] }
                let isAccepted = key.flatMap { try? token?.verified(with: $0) } != nil
                count.run += 1
                count.accepted += isAccepted ? 1 : 0
                #expect(!isAccepted || test.result == .valid, "\(test.tcId) \(test.comment)")
            }
        }
        #expect(count == Count(run: document.numberOfTests, accepted: 1) && count.run == 26)
    }

    @Test("RSA 2048 with SHA-256: all 259") func rsa() throws {
        let count = try runRaw("rsa_signature_2048_sha256_test.json") { pem in
            VerificationKey(try _RSA.Signing.PublicKey(pemRepresentation: pem))
        }
        #expect(count.run == 259)
    }

    @Test("P-256 with SHA-256: all 262") func p256() throws {
        let count = try runRaw("ecdsa_secp256r1_sha256_p1363_test.json") { pem in
            try VerificationKey(p256PEM: pem)
        }
        #expect(count.run == 262)
    }

    private func runRaw(_ file: String, key: (String) throws -> VerificationKey) throws -> Count {
        let document = try VectorFile.read(file, as: Document<RawGroup>.self)
        var count = Count()
        for group in document.testGroups {
            let key = try key(group.publicKeyPem)
            for test in group.tests {
                let isValid = key.isValid(signature: test.sig.data, over: test.msg.data)
                count.run += 1
                count.accepted += isValid ? 1 : 0
            }
        }
        let validCount = document.testGroups.flatMap(\.tests).count { $0.result == .valid }
        #expect(count == Count(run: document.numberOfTests, accepted: validCount), "\(file)")
        return count
    }
}

extension JSONWebKeySet {
    /// A key set in the form of the vectors, none of whose keys is left out.
    fileprivate struct List: Decodable {
        let keys: [JSONWebKey]
    }
}
