import Crypto
import CryptoExtras
import Foundation

/// A parsed public key that verifies signatures with one algorithm.
package struct VerificationKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey, signatureByteCount: Int)
        case p256(P256.Signing.PublicKey)
    }

    private let material: Material

    /// Creates a key for RS256, of 2048 bits or more.
    package init(_ key: _RSA.Signing.PublicKey) {
        material = .rsa(key, signatureByteCount: (key.keySizeInBits + 7) / 8)
    }

    package init(_ key: P256.Signing.PublicKey) { material = .p256(key) }

    /// Reads an ES256 key from PEM.
    ///
    /// - Parameter pem: a `PUBLIC KEY` on P-256.
    /// - Throws: ``SignedTokenError/unusableKey(reason:)`` for anything else.
    package init(p256PEM pem: String) throws(SignedTokenError) {
        do {
            material = .p256(try P256.Signing.PublicKey(pemRepresentation: pem))
        } catch {
            throw .unusableKey(reason: "it is not a PEM public key on P-256")
        }
    }

    package var algorithm: SignatureAlgorithm {
        switch material {
        case .rsa: .rs256
        case .p256: .es256
        }
    }

    /// The public key on P-256 as PEM; nil for an RSA key.
    package var p256PEM: String? {
        if case .p256(let key) = material { key.pemRepresentation } else { nil }
    }

    func isValid(signature: Data, over signingInput: Data) -> Bool {
        isValid(signature: signature, for: SHA256.hash(data: signingInput))
    }

    func isValid(signature: Data, for digest: SHA256.Digest) -> Bool {
        switch material {
        case .rsa(let key, let signatureByteCount):
            // RFC 8017, section 8.2.2, step 1: the signature is as long as the modulus.
            // https://www.rfc-editor.org/rfc/rfc8017#section-8.2.2
            guard signature.count == signatureByteCount else { return false }
            var rsaSignature = Self.emptySignature
            rsaSignature.rawRepresentation = signature
            return key.isValidSignature(rsaSignature, for: digest, padding: .insecurePKCS1v1_5)
        case .p256(let key):
            // RFC 7518, section 3.4: R and S side by side, 32 bytes each.
            // https://www.rfc-editor.org/rfc/rfc7518#section-3.4
            guard signature.count == 64,
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: digest)
        }
    }

    /// Filled with the bytes of a signature, which the initializer would copy again.
    private static let emptySignature = _RSA.Signing.RSASignature(rawRepresentation: Data())
}
