import AppleIdentity
import Crypto
import Foundation
import SignedTokens

/// Client secrets whose signatures were verified, so that the same text needs it only once.
///
/// It answers for the signature alone: every rule for the claims is checked each time.
/// Secrets are remembered by their hash.
struct VerifiedSecrets {
    /// How many are remembered; the oldest go first.
    static let maximumCount = 256

    private var secrets = BoundedTable<VerifiedSecret>(maximumCount: maximumCount)

    /// A secret that was verified with a key that is registered still, unchanged.
    func secret(_ text: String, _ registry: ClientRegistry) -> VerifiedSecret? {
        guard let secret = secrets[Self.digest(text)],
            registry.keys[secret.key.keyID] == secret.key
        else { return nil }
        return secret
    }

    /// Remembers a secret whose signature was just verified.
    mutating func remember(_ text: String, as secret: VerifiedSecret) {
        let digest = Self.digest(text)
        secrets.remove(digest)
        secrets.insert(secret, for: digest)
    }

    private static func digest(_ text: String) -> String {
        Base64URL.encode(SHA256.hash(data: Data(text.utf8)))
    }
}

/// What a client secret says, and the key by which it was verified.
struct VerifiedSecret {
    let key: SeedKey
    let claims: JSONObject
}
