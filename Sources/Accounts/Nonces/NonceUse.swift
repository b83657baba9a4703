/// A nonce that a sign-in uses up, and what the store must know of it.
public struct NonceUse: Hashable, Sendable {
    /// Where the nonce has to come from.
    public enum Origin: Hashable, Sendable {
        /// The server gave it out; any other is refused.
        case server
        /// The server or the app itself; one that the server knows is still used only once.
        case serverOrApp
        /// A web sign-in; the store sees it for the first time when it is used.
        case webSignIn
    }

    /// The nonce's hash.
    public let hash: SecretHash
    /// Where it has to come from.
    public let origin: Origin

    /// Names a nonce and its origin.
    public init(hash: SecretHash, origin: Origin) {
        self.hash = hash
        self.origin = origin
    }
}
