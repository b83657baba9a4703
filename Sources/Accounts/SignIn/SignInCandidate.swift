import AppleIdentity
import SignInWithApple

/// A sign-in whose identity is verified, from an app or a browser.
public struct SignInCandidate: Sendable {
    /// Who the person is.
    public var identity: VerifiedIdentity
    /// The identity token, of which the store keeps the hash: it is good for one sign-in.
    public var identityToken: String
    /// The nonce the token is bound to, before hashing.
    public var nonce: String?
    /// Where the nonce has to come from.
    public var nonceOrigin: NonceOrigin
    /// The name, which Apple tells only the first time.
    public var name: PersonName?
    /// What the client calls itself.
    public var device: String
    /// The session token the client has had so far; that session ends.
    public var previousSessionToken: String?

    /// Makes a candidate.
    public init(
        identity: VerifiedIdentity,
        identityToken: String,
        nonce: String?,
        nonceOrigin: NonceOrigin,
        name: PersonName? = nil,
        device: String = "",
        previousSessionToken: String? = nil
    ) {
        self.identity = identity
        self.identityToken = identityToken
        self.nonce = nonce
        self.nonceOrigin = nonceOrigin
        self.name = name
        self.device = device
        self.previousSessionToken = previousSessionToken
    }
}

/// Where a sign-in's nonce has to come from.
public enum NonceOrigin: Hashable, Sendable {
    /// The server gave it out; any other is refused.
    case server
    /// The server or the app itself; one of the server's is still used only once.
    case serverOrApp
    /// A web sign-in, which made it and has found it in the token again; it is used only once.
    case webSignIn
}

/// What a person gets for signing in.
public struct SignInReceipt: Sendable {
    /// Their account.
    public let account: Account
    /// The new session.
    public let session: Session
    /// The secret that opens the session; it can't be read again later.
    public let token: SessionToken
    /// Whether this sign-in made the account.
    public let isNewAccount: Bool

    /// Makes a receipt.
    public init(account: Account, session: Session, token: SessionToken, isNewAccount: Bool) {
        self.account = account
        self.session = session
        self.token = token
        self.isNewAccount = isNewAccount
    }
}
