import Foundation
import SignInWithApple
import SignedTokens
import Synchronization

/// The sign-in method of a session.
///
/// Methods of a newer program are kept unchanged.
package struct SignInMethod: RawRepresentable, Hashable, Sendable {
    /// The method's name in the store and in JSON.
    package let rawValue: String

    /// Creates a sign-in method from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let apple = SignInMethod(rawValue: "apple")
    /// A username and its password.
    package static let password = SignInMethod(rawValue: "password")
}

/// One signed-in device or browser.
package struct Session: Hashable, Sendable {
    /// The session's public identifier.
    package internal(set) var id: SessionID
    package internal(set) var accountID: AccountID
    /// The device name that the client sent.
    package internal(set) var device: String
    /// The method of the sign-in, or of the session from which this one is derived.
    package internal(set) var signInMethod: SignInMethod
    package internal(set) var createdAt: Date
    /// When the user last authenticated in this session.
    package internal(set) var signedInAt: Date
    /// When the session was last used; up to `AccountsConfiguration.sessionUseInterval` too early.
    package var lastUsedAt: Date
    /// When the session expires without further use: the earlier of the idle and the absolute limit.
    package var expiresAt: Date
}

/// A session and its account, from one read of the store.
///
/// It is an object, because a session check passes it through many functions and copying its strings would cost more
/// than finding them. A store that has sessions in memory replaces the object when the account changes.
package final class SignedInSession: Sendable {
    package let session: Session
    package let account: Account
    private let written = Mutex<[UInt8]?>(nil)

    package init(session: Session, account: Account) {
        self.session = session
        self.account = account
    }

    /// Returns the account's document, which is written at the first call.
    package func document(_ write: (Account) -> [UInt8]) -> [UInt8] {
        written.withLock { written in
            if let written { return written }
            let document = write(account)
            written = document
            return document
        }
    }
}

extension SignedInSession: Hashable {
    package static func == (first: SignedInSession, second: SignedInSession) -> Bool {
        first.session == second.session && first.account == second.account
    }

    /// Hashes the session's identifier.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(session.id)
    }
}

/// The secret that authenticates a session: 256 random bits that only the client has.
///
/// The store gets only ``hash``. Printing a token does not reveal it.
package struct SessionToken: Hashable, Sendable {
    /// The number of random bytes in a token.
    package static let byteCount = 32
    /// The number of characters of base64url in a token.
    package static let characterCount = 43

    /// The secret for the client, in base64url.
    package let text: String

    /// Creates a random token.
    package init() { text = Base64URL.encode(SecureRandom.bytes(count: Self.byteCount)) }

    /// Reads a token that a client sent; nil when it is malformed.
    package init?(_ text: String) {
        guard text.utf8.count == Self.characterCount, text.utf8.allSatisfy(Self.isBase64URL)
        else { return nil }
        self.text = text
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The hash that the store keeps.
    package var hash: SecretHash { SecretHash(of: text) }
}

extension SessionToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A constant instead of the secret.
    package var description: String { "(session token)" }

    /// A constant instead of the secret.
    package var debugDescription: String { description }

    /// A mirror without the secret, for `dump`.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
