import AppleIdentity
import SignInWithApple

/// A sign-in from an app or a browser, with a verified identity.
package struct SignInCandidate: Sendable {
    package var identity: VerifiedIdentity
    /// The identity token, which is valid for one sign-in; the store keeps its hash.
    package var identityToken: String
    /// The nonce of the token, before hashing.
    package var nonce: String?
    /// The allowed origin of the nonce.
    package var nonceOrigin: NonceOrigin
    /// The name, which Apple sends only at the first sign-in.
    package var name: PersonName?
    package var client: ClientDescription
    /// The only account that the sign-in may use; nil for the user's, whichever that is.
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

/// The allowed origin of a sign-in's nonce.
package enum NonceOrigin: Hashable, Sendable {
    /// The server issued it; any other nonce is refused.
    case server
    /// The server or the app created it; a nonce of the server is valid once.
    case serverOrApp
    /// A web sign-in created it and found it in the token; it is valid once.
    case webSignIn
}

/// The values of a new account with a password.
package struct PasswordRegistration: Sendable {
    /// The username, which may be an email address.
    package var username: String
    /// The password as the user typed it.
    package var password: String
    /// The display name.
    package var name: String?
    /// The email address; nil to use the username if it is one.
    package var email: String?
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

/// A username and a password for a sign-in.
package struct PasswordCandidate: Sendable {
    /// The username as the user typed it.
    package var username: String
    /// The password as the user typed it.
    package var password: String
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

/// A request to change the password of an account, or to set its first one.
package struct PasswordChange: Sendable {
    /// The username, for an account that has none yet.
    package var username: String?
    /// The current password; nil for an account that has none.
    package var currentPassword: String?
    package var newPassword: String
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

/// The result of a sign-in.
package struct SignInReceipt: Sendable {
    package let account: Account
    package let session: Session
    /// The secret of the session, which cannot be read again later.
    package let token: SessionToken
    /// Whether this sign-in created the account.
    package let isNewAccount: Bool

    package init(account: Account, session: Session, token: SessionToken, isNewAccount: Bool) {
        self.account = account
        self.session = session
        self.token = token
        self.isNewAccount = isNewAccount
    }
}
