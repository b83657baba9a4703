import AppleIdentity
import CryptoExtras
import Foundation
import SignedTokens

/// The keys that Apple publishes; each current key signs.
struct SigningKeyRing {
    /// The time for which clients may cache the published keys, in seconds.
    static let cacheSeconds = 300
    /// The maximum number of published keys that no longer sign; the oldest are removed first.
    static let maximumRetainedCount = 24

    private(set) var current: [EmulatorSigningKey]
    /// Keys that no longer sign but are still published, newest first.
    private(set) var retained: [EmulatorSigningKey]

    init(_ keys: [EmulatorSigningKey], retaining retained: [EmulatorSigningKey] = []) {
        current = keys
        self.retained = retained
    }

    var object: JSONObject {
        [
            "current": .array(current.map { .string($0.keyID.rawValue) }),
            "retained": .array(retained.map { .string($0.keyID.rawValue) }),
        ]
    }

    mutating func rotate(to keys: [EmulatorSigningKey], keepsOld: Bool) {
        retained = keepsOld ? Array((current + retained).prefix(Self.maximumRetainedCount)) : []
        current = keys
    }

    mutating func resize(to count: Int, adding keys: [EmulatorSigningKey]) {
        current = Array((current + keys).prefix(count))
    }

    func document(foreign: Bool = false, order: EmulatorSwitches.KeyOrder) -> JSONObject {
        let keys = (foreign ? [Self.foreignKey] : []) + (current + retained).map(\.publicObject)
        let ordered = order == .changing ? keys.shuffled() : keys
        return ["keys": .array(ordered.map { .object($0) })]
    }

    /// A key that signs nothing, on a curve without a name in JOSE.
    private static let foreignKey: JSONObject = [
        "kty": "EC", "kid": "FOREIGNKEY", "use": "sig", "alg": "ESB320", "crv": "brainpoolP320r1",
        "x": .string(Base64URL.encode(Data(repeating: 1, count: 40))),
        "y": .string(Base64URL.encode(Data(repeating: 2, count: 40))),
    ]

    /// Returns a random key that signs; like Apple's, it varies from token to token.
    func anyCurrent() throws -> EmulatorSigningKey {
        guard let key = current.randomElement() else { throw NoSigningKey() }
        return key
    }

    private struct NoSigningKey: Error {}
}

/// A signing key in an exported state.
struct KeptSigningKey {
    var keyID: KeyID = ""
    var signs = true
    var privateKeyPEM = ""

    static let schema = ObjectSchema(
        KeptSigningKey(),
        .required("key_id", \.keyID, .identifier),
        .usual("signs", \.signs, .boolean),
        .required("private_key_pem", \.privateKeyPEM, .text)
    )
}

extension SigningKeyRing {
    /// The keys in an exported state: first those that sign, then the others.
    var stored: [KeptSigningKey] {
        [(current, true), (retained, false)].flatMap { keys, signs in
            keys.map {
                KeptSigningKey(keyID: $0.keyID, signs: signs, privateKeyPEM: $0.privateKeyPEM)
            }
        }
    }

    mutating func restore(_ stored: KeptSigningKey) throws(ControlRefusal) {
        guard !(current + retained).contains(where: { $0.keyID == stored.keyID }) else {
            throw .twice("key_id")
        }
        guard let pair = try? _RSA.Signing.PrivateKey(pemRepresentation: stored.privateKeyPEM),
            pair.keySizeInBits == 2_048,
            let key = try? EmulatorSigningKey(pair, keyID: stored.keyID)
        else { throw .wrong("private_key_pem", "is not a PEM private RSA key of 2048 bits") }
        guard stored.signs ? current.count < 8 : retained.count < Self.maximumRetainedCount else {
            throw .wrong("signs", "is set for more keys than allowed")
        }
        if stored.signs { current.append(key) } else { retained.append(key) }
    }
}

/// The source of an emulator's first signing keys.
package struct SigningKeySource: Sendable {
    let keys: @Sendable (_ count: Int, _ nameLength: Int) async throws -> [EmulatorSigningKey]

    package init(
        _ keys:
            @escaping @Sendable (_ count: Int, _ nameLength: Int) async throws ->
            [EmulatorSigningKey]
    ) {
        self.keys = keys
    }

    package static let fresh = SigningKeySource { count, nameLength in
        try await EmulatorSigningKey.make(count: count, nameLength: nameLength)
    }
}

/// Keys in a file, because generating them takes most of a start.
extension EmulatorSigningKey {
    private static let section = "signing_keys"

    /// The maximum size of the document, in bytes; eight keys take a fifth of it.
    package static let maximumDocumentByteCount = 64 * 1024

    package static func document(of keys: [EmulatorSigningKey]) -> Data {
        let objects = SigningKeyRing(keys).stored.map {
            JSONValue.object(KeptSigningKey.schema.write($0))
        }
        let document: JSONObject = [section: .array(objects)]
        return document.data
    }

    package static func keys(
        in document: Data,
        count: Int,
        nameLength: Int
    ) -> [EmulatorSigningKey]? {
        guard document.count <= maximumDocumentByteCount,
            let objects = try? JSONValue(parsing: document).objectValue?[section]?.arrayValue
        else { return nil }
        var ring = SigningKeyRing([])
        for object in objects {
            // With references, the form allows the line breaks of a PEM.
            guard let object = object.objectValue,
                let stored = try? KeptSigningKey.schema.read(object, StateReferences()),
                (try? ring.restore(stored)) != nil
            else { return nil }
        }
        let keys = ring.current
        let isFitting =
            keys.count == count && keys.allSatisfy { $0.keyID.rawValue.count == nameLength }
        return isFitting ? keys : nil
    }
}
