import Testing

@testable import SignedTokens

/// Wycheproof's cases for JWK: key sets that must not be trusted, and a few that may.
@Suite("Wycheproof, JSON Web Key") struct JSONWebKeyVectorTests {
    private struct Document: Decodable {
        let testGroups: [Group]
    }

    struct KeyList: Decodable {
        let keys: [JSONWebKey]
    }

    struct Group: Decodable {
        let `public`: KeyList?
        let `private`: KeyList
        let tests: [JSONWebSignatureVectorTests.Case]

        var keySet: JSONWebKeySet { JSONWebKeySet(keys: (`public` ?? `private`).keys) }
    }

    private static let groups =
        (try? VectorFile.read("json_web_key_test.json", as: Document.self).testGroups) ?? []

    @Test("Of all 26 cases only the one with a valid RSA key leads to an accepted token")
    func keySets() {
        #expect(Self.groups.flatMap(\.tests).count == 26)
        var acceptedCount = 0
        for group in Self.groups {
            let isSymmetric = group.keySet.keys.contains { $0.keyType == "oct" }
            for test in group.tests {
                let isValidForUs = test.result == .valid && !isSymmetric
                let isAccepted = Self.accepts(test.jws, keySet: group.keySet)
                #expect(isAccepted == isValidForUs, "\(test.tcId) \(test.comment)")
                acceptedCount += isAccepted ? 1 : 0
            }
        }
        #expect(acceptedCount == 1)
    }

    /// A verifier's steps: the key by the token's `kid`, then the signature.
    private static func accepts(_ token: String, keySet: JSONWebKeySet) -> Bool {
        guard let unverified = try? UnverifiedToken(token), let keyID = unverified.header.keyID,
            let key = keySet.verificationKeys()[keyID]
        else { return false }
        return (try? unverified.verified(with: key)) != nil
    }
}
