import AppleIdentity
import Crypto
import Foundation
import SignInWithApple

/// The SHA-256 of a secret, or of an issuer and a user; the store never gets a secret itself.
///
/// A secret of at least 128 random bits cannot be guessed, so a plain, fast hash is enough. The timing of an index
/// lookup by hash reveals nothing about the secret.
package struct SecretHash: Hashable, Sendable {
    /// The 32 bytes, without an allocation, because every request creates and looks up a hash.
    private let words: SIMD4<UInt64>

    package var bytes: Data { withUnsafeBytes(of: words) { Data($0) } }

    /// Restores a hash from stored bytes.
    package init(bytes: Data) { words = Self.words(bytes) }

    /// Hashes strings together, each after its length; different lists have different hashes.
    package init(ofParts parts: [String]) {
        var hasher = SHA256()
        for var part in parts {
            hasher.update(data: Data("\(part.utf8.count):".utf8))
            part.withUTF8 { hasher.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        }
        words = Self.words(hasher.finalize())
    }

    package init(of secret: String) {
        var secret = secret
        var hasher = SHA256()
        secret.withUTF8 { hasher.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        words = Self.words(hasher.finalize())
    }

    /// Creates a random hash, which belongs to no known secret.
    package static func random() -> SecretHash {
        SecretHash(bytes: Data(SecureRandom.bytes(count: 32)))
    }

    private static func words(_ bytes: some Sequence<UInt8>) -> SIMD4<UInt64> {
        var words = SIMD4<UInt64>()
        withUnsafeMutableBytes(of: &words) { words in
            for (index, byte) in bytes.prefix(words.count).enumerated() { words[index] = byte }
        }
        return words
    }
}
