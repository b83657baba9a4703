import Foundation

/// A sign-in with a verified identity token, before its code is exchanged.
package struct SignInAttempt: Hashable, Sendable {
    /// Seconds for which the name of a sign-in that was not completed is kept.
    package static let pendingNameMemory: TimeInterval = 30 * 86_400

    package let person: ApplePerson
    /// The name that Apple sent, stored until the sign-in completes.
    package let name: AccountName?
    /// The identity token's hash.
    package let tokenHash: SecretHash
    /// When the identity token was issued, by Apple's clock; the user consented then.
    package let issuedAt: Date
    /// The nonce to remember as used; nil when there is nothing to remember.
    package let nonce: NonceUse?
    /// The key of the user's own email address, if Apple reports it as verified.
    package let emailKey: String?
    /// The only account that the sign-in may use; nil for the user's, whichever that is.
    package let requiredAccount: AccountID?
    package let now: Date

    package init(
        person: ApplePerson,
        name: AccountName?,
        tokenHash: SecretHash,
        issuedAt: Date,
        nonce: NonceUse?,
        emailKey: String? = nil,
        requiredAccount: AccountID? = nil,
        now: Date
    ) {
        self.person = person
        self.name = name
        self.tokenHash = tokenHash
        self.issuedAt = issuedAt.inWholeMicroseconds
        self.nonce = nonce
        self.emailKey = emailKey
        self.requiredAccount = requiredAccount
        self.now = now.inWholeMicroseconds
    }
}

/// A nonce that a sign-in uses.
package struct NonceUse: Hashable, Sendable {
    package let hash: SecretHash
    /// Until when its use is remembered; no token with this nonce is accepted after that.
    package let rememberedUntil: Date

    package init(hash: SecretHash, rememberedUntil: Date) {
        self.hash = hash
        self.rememberedUntil = rememberedUntil.inWholeMicroseconds
    }
}

/// A request to complete a sign-in.
///
/// The caller creates its random identifiers, and can repeat the call when the result was lost.
package struct SignInCompletion: Hashable, Sendable {
    package let apple: RedeemedSignIn
    /// The identifier of a new account, if the user has no account yet.
    package let newAccountID: AccountID
    package let opening: SessionOpening
    /// Whether to only replace the session that the same sign-in created a moment ago.
    package var isRepetition = false

    package init(apple: RedeemedSignIn, newAccountID: AccountID, opening: SessionOpening) {
        self.apple = apple
        self.newAccountID = newAccountID
        self.opening = opening
    }
}

/// The values of a session that is being created.
package struct NewSession: Hashable, Sendable {
    /// The session's public identifier.
    package let id: SessionID
    package let tokenHash: SecretHash
    /// The device name that the client sent.
    package let device: String
    /// When the session expires without further use.
    package let expiresAt: Date

    package init(id: SessionID, tokenHash: SecretHash, device: String, expiresAt: Date) {
        self.id = id
        self.tokenHash = tokenHash
        self.device = device
        self.expiresAt = expiresAt.inWholeMicroseconds
    }
}

/// The result of completing a sign-in.
package enum SignInOutcome: Hashable, Sendable {
    /// A session was created.
    case signedIn(SignedInSession, isNewAccount: Bool)
    /// The sign-in was refused.
    case refused(SignInRefusal)
}

/// Why a sign-in is refused.
package enum SignInRefusal: Error, Hashable {
    /// The identity token was already used.
    case tokenReplayed
    /// The user's consent ended after the identity token was issued.
    case consentRevoked
    /// The nonce was already used.
    case nonceUsed
    /// An account with a password has the same verified email address.
    case accountExists(AccountID)
    /// The user has no account, or an account other than the required one.
    case otherAccount
}
