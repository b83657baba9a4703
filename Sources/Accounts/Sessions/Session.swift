import Foundation
import SignInWithApple
import SignedTokens

/// The way in by which a person opened a session.
///
/// A newer program may know other ways: they are kept as they are.
package struct SignInMethod: RawRepresentable, Hashable, Sendable {
    /// The way's name in the store and in JSON.
    package let rawValue: String

    /// Names a way in.
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let apple = SignInMethod(rawValue: "apple")
    /// A username and its password.
    package static let password = SignInMethod(rawValue: "password")
}

/// One signed-in device or browser.
package struct Session: Hashable, Sendable {
    /// The session's package name.
    package let id: SessionID
    package let accountID: AccountID
    /// What the client calls itself.
    package let device: String
    /// The way in that opened the session, or the session that it comes from.
    package let signInMethod: SignInMethod
    /// When the session began.
    package let createdAt: Date
    /// When the person last proved who they are in this session.
    package let signedInAt: Date
    /// When the session was last used, late by at most `AccountsConfiguration.sessionUseInterval`.
    package var lastUsedAt: Date
    /// When it ends if it is not used again: the earlier of the idle and the absolute limit.
    package var expiresAt: Date

    /// Makes a session's description.
    package init(
        id: SessionID,
        accountID: AccountID,
        device: String,
        signInMethod: SignInMethod,
        createdAt: Date,
        signedInAt: Date,
        lastUsedAt: Date,
        expiresAt: Date
    ) {
        self.id = id
        self.accountID = accountID
        self.device = device
        self.signInMethod = signInMethod
        self.createdAt = createdAt
        self.signedInAt = signedInAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
    }
}

/// A session and the account it opens, as one look at the store finds them.
///
/// An object and not a value: a session check hands it from hand to hand, and each copy of its texts would cost
/// more than finding them.
package final class SignedInSession: Sendable {
    package let session: Session
    package let account: Account

    /// Puts the two together.
    package init(session: Session, account: Account) {
        self.session = session
        self.account = account
    }
}

extension SignedInSession: Hashable {
    /// Compares session and account.
    package static func == (first: SignedInSession, second: SignedInSession) -> Bool {
        first.session == second.session && first.account == second.account
    }

    /// Hashes the session's name.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(session.id)
    }
}

/// The secret that opens a session: 256 random bits, known to the client alone.
///
/// The store gets only ``hash``. Printing a token shows nothing of it.
package struct SessionToken: Hashable, Sendable {
    /// How many random bytes a token has.
    package static let byteCount = 32

    /// The secret's text, for the client: 43 characters of base64url.
    package let text: String

    /// Makes a new token.
    package init() { text = Base64URL.encode(SecureRandom.bytes(count: Self.byteCount)) }

    /// Reads a token that a client sent.
    package init?(_ text: String) {
        guard text.utf8.count == 43, text.utf8.allSatisfy(Self.isBase64URL) else { return nil }
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

    /// What is stored of the token.
    package var hash: SecretHash { SecretHash(of: text) }
}

extension SessionToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A word that says nothing about the secret.
    package var description: String { "(session token)" }

    /// A word that says nothing about the secret.
    package var debugDescription: String { description }

    /// A mirror without the secret, for `dump`.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
