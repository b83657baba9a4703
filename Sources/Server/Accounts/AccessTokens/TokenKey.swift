import AppleIdentity
import Crypto
import Foundation
import SignInWithApple
import SignedTokens
import Synchronization

/// A key that signs access tokens; all replicas share the keys in the store.
package struct TokenKey: Hashable, Sendable {
    /// The identifier in tokens: `kid`.
    package internal(set) var id: String
    /// The private key, encrypted for its identifier.
    package var sealedKey: String
    /// The point on P-256: both coordinates, of 32 bytes each.
    package internal(set) var publicKey: Data
    package internal(set) var createdAt: Date
    /// When the key begins to sign.
    package var signsFrom: Date
    /// When the key is no longer published; nil while no other key replaces it.
    package var publishedUntil: Date?
}

extension TokenKey {
    /// Creates a random key that signs at once.
    package init(sealedBy sealer: TokenSealer, now: Date) {
        let key = P256.Signing.PrivateKey()
        let id = SecureRandom.hexadecimal(byteCount: 16)
        self.init(
            id: id,
            sealedKey: sealer.seal(key.rawRepresentation, for: .tokenKey(id)),
            publicKey: key.publicKey.rawRepresentation,
            createdAt: now,
            signsFrom: now
        )
    }

    /// Decrypts the private key; throws `SealingError` when no sealing key decrypts it.
    func signingKey(_ sealer: TokenSealer) throws -> SigningKey {
        let bytes = try sealer.open(sealedKey, for: .tokenKey(id))
        return SigningKey(try P256.Signing.PrivateKey(rawRepresentation: bytes))
    }

    /// The public key as services read it; nil when the stored point is not on the curve.
    var webKey: JSONWebKey? {
        (try? P256.Signing.PublicKey(rawRepresentation: publicKey))
            .map { JSONWebKey($0, keyID: id) }
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
        return keys.last { $0.signsFrom <= now }
            // The clock was set back.
            ?? keys.first
    }
}

extension SealingContext {
    static func tokenKey(_ id: String) -> SealingContext {
        SealingContext(purpose: "access-token-key", parts: [id])
    }
}

/// The keys as the store had them less than a minute ago; private keys stay encrypted.
///
/// A rotation waits for the interval, so replicas need not be told.
final class TokenKeyCache: Sendable {
    private let state = Mutex((keys: [TokenKey](), readAt: Date.distantPast, rotationCount: 0))

    /// How often the keys were rotated here; a read remembers it for ``put(_:at:readAfter:)``.
    var rotationCount: Int { state.withLock(\.rotationCount) }

    func keys(at now: Date) -> [TokenKey]? {
        state.withLock { state in
            let age = now.timeIntervalSince(state.readAt)
            return 0..<AccountsConfiguration.tokenKeyReadingInterval ~= age ? state.keys : nil
        }
    }

    /// Stores keys, unless they were read before the latest rotation and may be withdrawn.
    func put(_ keys: [TokenKey], at now: Date, readAfter rotationCount: Int) {
        state.withLock { state in
            if state.rotationCount == rotationCount { state = (keys, now, rotationCount) }
        }
    }

    /// Drops the keys after a rotation.
    func drop() { state.withLock { $0 = ([], .distantPast, $0.rotationCount + 1) } }
}
