import AppleIdentity
import Crypto
import Foundation
import SignInWithApple

/// The SHA-256 of a secret of at least 128 random bits, which is all the store ever sees of it.
///
/// Such a secret can't be searched for by guessing, so that a plain, fast hash is enough. Looking a
/// hash up in an index tells an attacker nothing about the secret by its timing.
package struct SecretHash: Hashable, Sendable {
    /// The 32 bytes, without memory of their own: each request makes one and looks it up.
    private let words: SIMD4<UInt64>

    package var bytes: Data { withUnsafeBytes(of: words) { Data($0) } }

    /// Makes a hash from bytes that were stored.
    package init(bytes: Data) { words = Self.words(bytes) }

    /// Hashes several texts together, each behind its length, so that no two lists are one.
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

    /// Makes the hash of a secret that nobody knows.
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

/// The name of an account: never reused, never shown to Apple.
package struct AccountID: TextIdentifier {
    /// The identifier's text.
    package let rawValue: String

    /// Makes the identifier from its text.
    package init(rawValue: String) { self.rawValue = rawValue }
}

extension AccountID {
    package static func make(at now: Date, _ order: IdentifierOrder = .byTime) -> AccountID {
        switch order {
        case .byTime: AccountID(TimeOrderedText.make(at: now))
        case .random: AccountID(SecureRandom.hexadecimal(byteCount: 16))
        }
    }
}

/// The package name of a session: good for listing and ending it, useless for signing in.
package struct SessionID: TextIdentifier {
    /// The identifier's text.
    package let rawValue: String

    /// Makes the identifier from its text.
    package init(rawValue: String) { self.rawValue = rawValue }
}

extension SessionID {
    package static func make(at now: Date) -> SessionID {
        SessionID(TimeOrderedText.make(at: now))
    }
}

/// The name of one entry in the outbox.
package struct OutboxID: TextIdentifier {
    /// The identifier's text.
    package let rawValue: String

    /// Makes the identifier from its text.
    package init(rawValue: String) { self.rawValue = rawValue }
}

extension OutboxID {
    package static func random() -> OutboxID {
        OutboxID(SecureRandom.hexadecimal(byteCount: 16))
    }
}

/// What a refresh token is sealed for.
package struct RefreshTokenID: TextIdentifier {
    /// The identifier's text.
    package let rawValue: String

    /// Makes the identifier from its text.
    package init(rawValue: String) { self.rawValue = rawValue }
}

extension RefreshTokenID {
    package static func random() -> RefreshTokenID {
        RefreshTokenID(SecureRandom.hexadecimal(byteCount: 16))
    }
}

/// Identifiers that nobody can guess and that sort by the time they were made: UUIDs of version 7, in 32
/// hexadecimal digits.
///
/// A database keeps rows in the order of their keys. What is made at the same time then shares a few pages of the
/// file, where random keys would touch a page each, and every page is written to the log and flushed.
///
/// Source: [RFC 9562, section 5.7](https://www.rfc-editor.org/rfc/rfc9562#section-5.7)
enum TimeOrderedText {
    private static let byteCount = 16
    private static let timeByteCount = 6

    static func make(at now: Date) -> String {
        var bytes = timeBytes(now)
        bytes += SecureRandom.bytes(count: byteCount - timeByteCount)
        bytes[6] = 0x70 | bytes[6] & 0x0f
        bytes[8] = 0x80 | bytes[8] & 0x3f
        return Hexadecimal.encode(bytes)
    }

    /// What sorts before everything that was made in the same millisecond or later.
    static func beginning(at time: Date) -> String { Hexadecimal.encode(timeBytes(time)) }

    private static func timeBytes(_ time: Date) -> [UInt8] {
        let milliseconds = UInt64(clamping: time.microseconds / 1_000)
        return (0..<timeByteCount).map { index in
            UInt8(truncatingIfNeeded: milliseconds >> (8 * (timeByteCount - 1 - index)))
        }
    }
}
