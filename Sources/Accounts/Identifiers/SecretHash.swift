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

    /// Hashes a secret.
    ///
    /// - Parameter secret: a token, nonce or code.
    public init(of secret: String) {
        bytes = Data(SHA256.hash(data: Data(secret.utf8)))
    }
}
