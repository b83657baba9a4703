import Crypto
import Foundation

/// The SHA-256 of a secret of at least 128 random bits, which is all the store ever sees of it.
///
/// Such a secret can't be searched for by guessing, so that a plain, fast hash is enough. Looking a
/// hash up in an index tells an attacker nothing about the secret by its timing.
public struct SecretHash: Hashable, Sendable {
    /// The 32 bytes.
    public let bytes: Data

    /// Makes a hash from bytes that were stored.
    ///
    /// - Parameter bytes: the 32 bytes.
    public init(bytes: Data) {
        self.bytes = bytes
    }

    /// Hashes several texts together, each behind its length, so that no two lists are one.
    ///
    /// - Parameter parts: the texts, unguessable together.
    public init(ofParts parts: [String]) {
        self.init(of: parts.map { "\($0.utf8.count):\($0)" }.joined())
    }

    /// Hashes a secret.
    ///
    /// - Parameter secret: a token, nonce or code.
    public init(of secret: String) {
        bytes = Data(SHA256.hash(data: Data(secret.utf8)))
    }
}
