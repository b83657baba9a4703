import Foundation
import Testing

@testable import SignedTokens

/// Wycheproof's cases for JWS: tokens that must be accepted, and tokens that must never be.
///
/// A group has a key; the key's algorithm decides whether its valid cases are ours.
@Suite("Wycheproof, JSON Web Signature") struct JSONWebSignatureVectorTests {
    private struct Document: Decodable {
        let numberOfTests: Int
        let testGroups: [Group]
    }

    struct Group: Decodable, CustomTestStringConvertible {
        let comment: String
        /// The public key, missing for symmetric keys, whose one form is `private`.
        let `public`: JSONWebKey?
        let `private`: JSONWebKey
        let tests: [Case]

        var key: JSONWebKey { `public` ?? `private` }
        /// The groups of keys for our algorithms, one of them by its type only.
        var isOurs: Bool {
            ["RS256", "ES256"].contains(key.algorithm) && (key.use ?? "sig") == "sig"
        }
        var testDescription: String { "\(comment), \(key.keyID ?? "no kid")" }
    }

    struct Case: Decodable {
        let tcId: Int
        let comment: String
        let jws: String
        let result: Verdict
    }

    private static let name = "json_web_signature_test.json"

    static let groups = (try? VectorFile.read(name, as: Document.self).testGroups) ?? []

    @Test("All 401 cases were read") func allCasesAreThere() throws {
        let document = try VectorFile.read(Self.name, as: Document.self)
        #expect(document.numberOfTests == 401)
        #expect(Self.groups.map(\.tests.count).reduce(0, +) == 401)
        #expect(Self.groups.filter(\.isOurs).count == 6)
    }

    @Test("The files of the folder are the ones that a test runs") func files() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: VectorFile.folder.path)
        #expect(
            names.filter { $0.hasSuffix(".json") }.sorted() == [
                "4_1.rsa_v15_signature.json", "4_3.ecdsa_signature.json",
                "ecdsa_secp256r1_sha256_p1363_test.json", "json_web_key_test.json",
                "json_web_signature_test.json", "rsa_signature_2048_sha256_test.json",
            ]
        )
    }

    @Test("Valid tokens of our algorithms pass, all others are refused", arguments: groups)
    func ourAlgorithms(group: Group) {
        let key = try? group.key.verificationKey()
        for test in group.tests {
            let isAccepted =
                key.flatMap { try? UnverifiedToken(test.jws).verified(with: $0) } != nil
            let isMeant = group.isOurs && test.result == .valid
            #expect(isAccepted == isMeant, "\(test.tcId) \(test.comment)")
        }
    }

    @Test("Keys for other algorithms and purposes are refused", arguments: groups)
    func otherKeys(group: Group) {
        guard !group.isOurs else { return }
        #expect(throws: SignedTokenError.self) { try group.key.verificationKey() }
    }

    @Test("Tokens of other algorithms are rejected by name, with any key", arguments: groups)
    func otherAlgorithms(group: Group) throws {
        guard let algorithm = group.key.algorithm, !group.isOurs else { return }
        for test in group.tests where test.result == .valid {
            // Two cases stretch base64url; they fail there already.
            let error = #expect(throws: SignedTokenError.self, "\(test.tcId) \(algorithm)") {
                try UnverifiedToken(test.jws)
            }
            switch error {
            case .unsupportedAlgorithm, .malformed: break
            default: Issue.record("\(test.tcId) was refused as \(String(describing: error))")
            }
        }
    }
}
