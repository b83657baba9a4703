import Foundation
import SignInWithApple
import SignedTokens

/// The way in by which a person opened a session.
///
/// A newer program may know other ways: they are kept as they are.
public struct SignInMethod: RawRepresentable, Hashable, Sendable {
    /// The way's name in the store and in JSON.
    public let rawValue: String

    /// Names a way in.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sign in with Apple.
    public static let apple = SignInMethod(rawValue: "apple")
    /// A username and its password.
    public static let password = SignInMethod(rawValue: "password")
}

/// One signed-in device or browser.
public struct Session: Hashable, Sendable {
    /// The session's public name.
    public let id: SessionID
    /// Whose session it is.
    public let accountID: AccountID
    /// What the client calls itself.
    public let device: String
    /// The way in that opened the session, or the session that it comes from.
    public let signInMethod: SignInMethod
    /// When the session began.
    public let createdAt: Date
    /// When the person last proved who they are in this session.
    public let signedInAt: Date
    /// When the session was last used, late by at most `AccountsConfiguration.sessionUseInterval`.
    public var lastUsedAt: Date
    /// When it ends if it is not used again: the earlier of the idle and the absolute limit.
    public var expiresAt: Date

    /// Makes a session's description.
    public init(
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
public final class SignedInSession: Sendable {
    /// The session.
    public let session: Session
    /// Its account.
    public let account: Account

    /// Puts the two together.
    public init(session: Session, account: Account) {
        self.session = session
        self.account = account
    }
}

extension SignedInSession: Hashable {
    /// Compares session and account.
    public static func == (first: SignedInSession, second: SignedInSession) -> Bool {
        first.session == second.session && first.account == second.account
    }

    /// Hashes the session's name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(session.id)
    }
}

/// The secret that opens a session: 256 random bits, known to the client alone.
///
/// The store gets only ``hash``. Printing a token shows nothing of it.
public struct SessionToken: Hashable, Sendable {
    /// How many random bytes a token has.
    public static let byteCount = 32

    /// The secret's text, for the client: 43 characters of base64url.
    public let text: String

    /// Makes a new token.
    public init() {
        text = Base64URL.encode(SecureRandom.bytes(count: Self.byteCount))
    }

    /// Reads a token that a client sent.
    ///
    /// - Parameter text: the text; nil comes back when no token can look like that.
    public init?(_ text: String) {
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
    public var hash: SecretHash { SecretHash(of: text) }
}

extension SessionToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A word that says nothing about the secret.
    public var description: String { "(session token)" }

    /// A word that says nothing about the secret.
    public var debugDescription: String { description }

    /// A mirror without the secret, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
