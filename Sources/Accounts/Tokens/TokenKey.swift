import AppleIdentity
import Crypto
import Foundation
import SignInWithApple
import SignedTokens
import Synchronization

/// The identifier of a key of access tokens: `kid`.
package struct TokenKeyID: TextIdentifier {
    /// The identifier as a string.
    package let rawValue: String

    /// Creates the identifier from a string.
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A key that signs access tokens; all replicas share the keys in the store.
package struct TokenKey: Hashable, Sendable {
    package let id: TokenKeyID
    /// The private key, encrypted for its identifier.
    package let sealedKey: String
    /// The point on P-256: both coordinates, of 32 bytes each.
    package let publicKey: Data
    package let createdAt: Date
    /// When the key begins to sign.
    package let signsFrom: Date
    /// When the key is no longer published; nil while no other key replaces it.
    package let publishedUntil: Date?

    package init(
        id: TokenKeyID,
        sealedKey: String,
        publicKey: Data,
        createdAt: Date,
        signsFrom: Date,
        publishedUntil: Date? = nil
    ) {
        self.id = id
        self.sealedKey = sealedKey
        self.publicKey = publicKey
        self.createdAt = createdAt
        self.signsFrom = signsFrom
        self.publishedUntil = publishedUntil
    }
}

extension TokenKey {
    /// Creates a random key that signs at once.
    package static func random(sealedBy sealer: TokenSealer, now: Date) throws(SealingError)
        -> TokenKey
    {
        let key = P256.Signing.PrivateKey()
        let id = TokenKeyID(SecureRandom.hexadecimal(byteCount: 16))
        return TokenKey(
            id: id,
            sealedKey: try sealer.seal(key.rawRepresentation, for: .tokenKey(id)),
            publicKey: key.publicKey.rawRepresentation,
            createdAt: now,
            signsFrom: now
        )
    }

    /// The same key with other values.
    func with(
        sealedKey: String? = nil,
        signsFrom: Date? = nil,
        publishedUntil: Date? = nil
    ) -> TokenKey {
        TokenKey(
            id: id,
            sealedKey: sealedKey ?? self.sealedKey,
            publicKey: publicKey,
            createdAt: createdAt,
            signsFrom: signsFrom ?? self.signsFrom,
            publishedUntil: publishedUntil ?? self.publishedUntil
        )
    }

    /// The same key encrypted with the first sealing key; nil when it already is.
    func resealed(by sealer: TokenSealer) throws(SealingError) -> TokenKey? {
        try sealer.reseal(sealedKey, for: .tokenKey(id)).map { with(sealedKey: $0) }
    }

    /// Decrypts the private key; throws `SealingError` when no sealing key decrypts it.
    func signingKey(_ sealer: TokenSealer) throws(SealingError) -> SigningKey {
        let bytes = try sealer.open(sealedKey, for: .tokenKey(id))
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
            throw SealingError(.textInvalid, "it is not a private key")
        }
        return SigningKey(key)
    }

    /// The public key as services read it; nil when the stored point is not on the curve.
    var webKey: JSONWebKey? {
        (try? P256.Signing.PublicKey(rawRepresentation: publicKey))
            .map { JSONWebKey($0, keyID: id.rawValue) }
    }
}

extension JSONWebKey {
    /// The key as a JSON object, with the members of a key on P-256.
    var document: JSONObject {
        var document: JSONObject = ["kty": .string(keyType)]
        for (name, value) in [
            ("kid", keyID), ("use", use), ("alg", algorithm), ("crv", curve), ("x", x), ("y", y),
        ] { document[name] = value.map { .string($0) } }
        return document
    }
}

extension [TokenKey] {
    /// The keys that services may use; a new one long before it signs.
    package func published(at now: Date) -> [TokenKey] {
        filter { $0.publishedUntil.map { $0 > now } ?? true }
    }

    /// The key that signs: the newest one whose time has come.
    package func signing(at now: Date) -> TokenKey? {
        let keys = published(at: now)
        return keys.filter { $0.signsFrom <= now }.max { $0.signsFrom < $1.signsFrom }
            // The clock was set back.
            ?? keys.min { $0.signsFrom < $1.signsFrom }
    }
}

extension SealingContext {
    static func tokenKey(_ id: TokenKeyID) -> SealingContext {
        SealingContext(purpose: "access-token-key", parts: [id.rawValue])
    }
}

/// The keys as the store had them less than a minute ago; private keys stay encrypted.
///
/// A rotation waits for the interval, so replicas need not be told.
final class TokenKeyCache: Sendable {
    private let state = Mutex<(keys: [TokenKey], readAt: Date)?>(nil)

    func keys(at now: Date) -> [TokenKey]? {
        state.withLock { state in
            guard let state else { return nil }
            let age = now.timeIntervalSince(state.readAt)
            return (0..<AccountsConfiguration.tokenKeyReadingInterval).contains(age)
                ? state.keys : nil
        }
    }

    func put(_ keys: [TokenKey], at now: Date) { state.withLock { $0 = (keys, now) } }
}
