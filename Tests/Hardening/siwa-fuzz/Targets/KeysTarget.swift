import Crypto
import Foundation

@testable import SignedTokens

/// A key set as the keys endpoint answers with one.
struct KeysTarget: FuzzTarget {
    func seeds() throws -> [Data] {
        let file = "json_web_key_test.json"
        let keys =
            try SeedFiles.vectorObjects(file, member: "public")
            + SeedFiles.vectorObjects("json_web_signature_test.json", member: "public")
        let sets = keys.map { Data(#"{"keys":["#.utf8) + $0 + Data("]}".utf8) }
        return try SeedFiles.keySets() + SeedFiles.discoveries().prefix(1) + sets
    }

    func test(_ input: Data) {
        guard let set = try? JSONWebKeySet(json: input) else { return }
        promise(set.keys.count <= JSONWebKeySet.maximumKeyCount, "more keys than the limit")
        let document = FoundationJSON.parse(input) as? [String: Any]
        promise(document?["keys"] is [Any], "Foundation finds no keys")
        let keys = set.verificationKeys()
        promise(keys.count <= set.keys.count, "keys out of nothing")
        for key in set.keys { test(key) }
    }

    private func test(_ key: JSONWebKey) {
        let again = try? JSONDecoder().decode(JSONWebKey.self, from: JSONEncoder().encode(key))
        promise(again == key, "it is written and read as another key")
        guard let verificationKey = try? key.verificationKey() else { return }
        promise(key.use == nil || key.use == "sig", "a key for something else")
        switch verificationKey.algorithm {
        case .rs256:
            promise(key.keyType == "RSA" && key.algorithm ?? "RS256" == "RS256", "no RS256 key")
            let bitCount = (key.modulus.flatMap(FoundationBase64.decode)?.count ?? 0) * 8
            promise((2048...8192).contains(bitCount), "a modulus of \(bitCount) bits")
        case .es256:
            promise(key.keyType == "EC" && key.algorithm ?? "ES256" == "ES256", "no ES256 key")
            let pem = verificationKey.p256PEM ?? ""
            promise((try? VerificationKey(p256PEM: pem))?.p256PEM == pem, "another PEM")
        }
        let signature = Data(repeating: 1, count: 256)
        promise(
            !verificationKey.isValid(signature: signature, over: Data("x".utf8)),
            "any signature is valid"
        )
    }
}
