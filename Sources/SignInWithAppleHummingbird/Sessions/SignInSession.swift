import SignInWithApple

/// A new session: a token nobody can guess, and how long a client may keep it.
///
/// The routes hand the token to the client; who it belongs to is yours to store, best under its hash.
public struct SignInSession: Hashable, Sendable {
    private static let tokenByteCount = 32
    /// Two hexadecimal digits for each byte.
    static let tokenCharacterCount = 2 * tokenByteCount

    /// The token, 256 bits as hexadecimal digits.
    public let token: String
    /// How long a browser keeps the cookie, in seconds; your server decides when it really ends.
    public let lifetimeSeconds: Int

    /// Makes a session with a new token.
    ///
    /// - Parameter lifetimeSeconds: how long a browser keeps the cookie; two weeks when left out.
    public init(lifetimeSeconds: Int = 14 * 86_400) {
        token = SecureRandom.hexadecimal(byteCount: Self.tokenByteCount)
        self.lifetimeSeconds = lifetimeSeconds
    }
}
