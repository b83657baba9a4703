import Crypto
import CryptoExtras
import Foundation

/// A private key that signs compact JWS with one algorithm.
package struct SigningKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
    }

    private let material: Material

    package init(_ key: _RSA.Signing.PrivateKey) { material = .rsa(key) }

    package init(_ key: P256.Signing.PrivateKey) { material = .p256(key) }

    package var algorithm: SignatureAlgorithm {
        switch material {
        case .rsa: .rs256
        case .p256: .es256
        }
    }

    package var verificationKey: VerificationKey {
        switch material {
        case .rsa(let key): VerificationKey(key.publicKey)
        case .p256(let key): VerificationKey(key.publicKey)
        }
    }

    /// Signs a token; header and payload are JSON, with their members in the final order.
    package func sign(header: Data, payload: Data) throws -> String {
        let signingInput = Self.signingInput(header: header, payload: payload)
        return try signingInput + "." + signature(over: signingInput)
    }

    /// The signed part of a token: header and claims in base64url, with a dot between them.
    ///
    /// Source: [RFC 7515, section 5.1](https://www.rfc-editor.org/rfc/rfc7515#section-5.1)
    package static func signingInput(header: Data, payload: Data) -> String {
        Base64URL.encode(header) + "." + Base64URL.encode(payload)
    }

    /// The third part of a token in base64url.
    package func signature(over signingInput: String) throws -> String {
        Base64URL.encode(try signature(over: Data(signingInput.utf8)))
    }

    private func signature(over signingInput: Data) throws -> Data {
        let digest = SHA256.hash(data: signingInput)
        switch material {
        case .rsa(let key):
            return try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
        case .p256(let key):
            return try key.signature(for: digest).rawRepresentation
        }
    }
}
