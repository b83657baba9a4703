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
    /// Who asks.
    public var client: ClientDescription
    /// The only account that the sign-in may open; nil for that of whoever signs in.
    public var requiredAccount: AccountID?

    /// Makes a candidate.
    public init(
        identity: VerifiedIdentity,
        identityToken: String,
        nonce: String?,
        nonceOrigin: NonceOrigin,
        name: PersonName? = nil,
        client: ClientDescription = ClientDescription()
    ) {
        self.identity = identity
        self.identityToken = identityToken
        self.nonce = nonce
        self.nonceOrigin = nonceOrigin
        self.name = name
        self.client = client
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

/// What a person chose who makes an account with a password.
public struct PasswordRegistration: Sendable {
    /// The name they sign in with; an e-mail address may be one.
    public var username: String
    /// The password, as they typed it.
    public var password: String
    /// What they want to be called.
    public var name: String?
    /// Their address; a username that is one counts when there is none.
    public var email: String?
    /// Who asks.
    public var client: ClientDescription

    /// Collects what they chose.
    ///
    /// - Parameters:
    ///   - username: the name they sign in with.
    ///   - password: the password, as they typed it.
    ///   - name: what they want to be called.
    ///   - email: their address.
    ///   - client: who asks.
    public init(
        username: String,
        password: String,
        name: String? = nil,
        email: String? = nil,
        client: ClientDescription = ClientDescription()
    ) {
        self.username = username
        self.password = password
        self.name = name
        self.email = email
        self.client = client
    }
}

/// A name and a password that are to open an account.
public struct PasswordCandidate: Sendable {
    /// The name, as they typed it.
    public var username: String
    /// The password, as they typed it.
    public var password: String
    /// Who asks.
    public var client: ClientDescription

    /// Collects what they typed.
    ///
    /// - Parameters:
    ///   - username: the name.
    ///   - password: the password.
    ///   - client: who asks.
    public init(
        username: String,
        password: String,
        client: ClientDescription = ClientDescription()
    ) {
        self.username = username
        self.password = password
        self.client = client
    }
}

/// Another password for an account that has one, or the first one.
public struct PasswordChange: Sendable {
    /// The name, for an account that has none yet.
    public var username: String?
    /// The password so far; nil for an account that has none.
    public var currentPassword: String?
    /// The new one.
    public var newPassword: String
    /// Who asks.
    public var client: ClientDescription

    /// Collects what they typed.
    ///
    /// - Parameters:
    ///   - username: the name, for an account that has none yet.
    ///   - currentPassword: the password so far.
    ///   - newPassword: the new one.
    ///   - client: who asks.
    public init(
        username: String? = nil,
        currentPassword: String? = nil,
        newPassword: String,
        client: ClientDescription = ClientDescription()
    ) {
        self.username = username
        self.currentPassword = currentPassword
        self.newPassword = newPassword
        self.client = client
    }
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
