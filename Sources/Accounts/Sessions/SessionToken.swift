import Foundation
import SignInWithApple
import SignedTokens

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
        guard
            text.utf8.count == 43,
            Base64URL.decode(text)?.count == Self.byteCount
        else { return nil }
        self.text = text
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
