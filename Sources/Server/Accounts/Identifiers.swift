import AppleIdentity
import Foundation
import SignInWithApple

/// The identifier of an account: never reused, never sent to Apple.
package struct AccountID: TextIdentifier {
    /// The identifier as a string.
    package let rawValue: String

    /// Creates the identifier from a string.
    package init(rawValue: String) { self.rawValue = rawValue }
}

extension AccountID {
    package static func make(at now: Date, _ order: IdentifierOrder = .byTime) -> AccountID {
        switch order {
        case .byTime: AccountID(TimeOrderedText.make(at: now))
        case .random: .random()
        }
    }
}

/// The public identifier of a session, for listing and ending it; it does not authenticate.
package struct SessionID: TextIdentifier {
    /// The identifier as a string.
    package let rawValue: String

    /// Creates the identifier from a string.
    package init(rawValue: String) { self.rawValue = rawValue }
}

extension SessionID {
    package static func make(at now: Date) -> SessionID {
        SessionID(TimeOrderedText.make(at: now))
    }
}

/// The identifier of an outbox entry.
package struct OutboxID: TextIdentifier {
    /// The identifier as a string.
    package let rawValue: String

    /// Creates the identifier from a string.
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// The identifier of a refresh token, which is part of its encryption context.
package struct RefreshTokenID: TextIdentifier {
    /// The identifier as a string.
    package let rawValue: String

    /// Creates the identifier from a string.
    package init(rawValue: String) { self.rawValue = rawValue }
}

extension TextIdentifier {
    /// Creates an identifier that cannot be guessed.
    package static func random() -> Self { Self(SecureRandom.hexadecimal(byteCount: 16)) }
}

/// Identifiers that cannot be guessed and sort by creation time: UUIDs of version 7, in 32 hexadecimal digits.
///
/// A database keeps rows in the order of their keys. Rows created at the same time then share a few pages. With random
/// keys, each row touches a page of its own, and every page is written to the log and flushed.
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

    /// The prefix that sorts before all identifiers of the same millisecond or later.
    static func beginning(at time: Date) -> String { Hexadecimal.encode(timeBytes(time)) }

    private static func timeBytes(_ time: Date) -> [UInt8] {
        let milliseconds = UInt64(clamping: time.microseconds / 1_000)
        return (0..<timeByteCount).map { index in
            UInt8(truncatingIfNeeded: milliseconds >> (8 * (timeByteCount - 1 - index)))
        }
    }
}
