import AppleIdentity
import SignInWithApple

/// A sign-in whose identity is verified, from an app or a browser.
package struct SignInCandidate: Sendable {
    /// Who the person is.
    package var identity: VerifiedIdentity
    /// The identity token, of which the store keeps the hash: it is good for one sign-in.
    package var identityToken: String
    /// The nonce the token is bound to, before hashing.
    package var nonce: String?
    /// Where the nonce has to come from.
    package var nonceOrigin: NonceOrigin
    /// The name, which Apple tells only the first time.
    package var name: PersonName?
    /// Who asks.
    package var client: ClientDescription
    /// The only account that the sign-in may open; nil for that of whoever signs in.
    package var requiredAccount: AccountID?

    package init(
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
package enum NonceOrigin: Hashable, Sendable {
    /// The server gave it out; any other is refused.
    case server
    /// The server or the app itself; one of the server's is still used only once.
    case serverOrApp
    /// A web sign-in, which made it and has found it in the token again; it is used only once.
    case webSignIn
}

/// What a person chose who makes an account with a password.
package struct PasswordRegistration: Sendable {
    /// The name they sign in with; an e-mail address may be one.
    package var username: String
    /// The password, as they typed it.
    package var password: String
    /// What they want to be called.
    package var name: String?
    /// Their address; a username that is one counts when there is none.
    package var email: String?
    /// Who asks.
    package var client: ClientDescription

    package init(
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
package struct PasswordCandidate: Sendable {
    /// The name, as they typed it.
    package var username: String
    /// The password, as they typed it.
    package var password: String
    /// Who asks.
    package var client: ClientDescription

    package init(
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
package struct PasswordChange: Sendable {
    /// The name, for an account that has none yet.
    package var username: String?
    /// The password so far; nil for an account that has none.
    package var currentPassword: String?
    package var newPassword: String
    /// Who asks.
    package var client: ClientDescription

    package init(
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
package struct SignInReceipt: Sendable {
    package let account: Account
    /// The new session.
    package let session: Session
    /// The secret that opens the session; it can't be read again later.
    package let token: SessionToken
    /// Whether this sign-in made the account.
    package let isNewAccount: Bool

    package init(account: Account, session: Session, token: SessionToken, isNewAccount: Bool) {
        self.account = account
        self.session = session
        self.token = token
        self.isNewAccount = isNewAccount
    }
}
