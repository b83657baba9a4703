import Crypto
import Foundation

extension TokenSealer {
    /// Tells the derived key from any other that may be derived from the same one.
    private static let derivation = Data("sign-in-with-apple sealing key 1".utf8)

    /// Derives a sealing key from a signing key, so that whoever has one has the other.
    ///
    /// Source: [RFC 5869](https://www.rfc-editor.org/rfc/rfc5869)
    init(derivedFrom key: P256.Signing.PrivateKey, name: String) {
        let sealingKey = HKDF<SHA256>
            .deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.rawRepresentation),
                info: Self.derivation,
                outputByteCount: Self.keyByteCount
            )
        self.init(sealingKey, name: name)
    }
}
