import Foundation

/// A sign-in whose identity token has been verified and whose code has not been spent, as a store sees it.
package struct SignInAttempt: Hashable, Sendable {
    /// Seconds for which the name of a sign-in that never ended is kept.
    package static let pendingNameMemory: TimeInterval = 30 * 86_400

    package let person: ApplePerson
    /// The name that came along; kept until the sign-in completes.
    package let name: AccountName?
    /// The identity token's hash.
    package let tokenHash: SecretHash
    /// When the identity token was issued, by Apple's clock: the person agreed then.
    package let issuedAt: Date
    /// The nonce that will be used up; nil when nothing has to be remembered of it.
    package let nonce: NonceUse?
    /// The key of the person's own address, when Apple says that it is theirs.
    package let emailKey: String?
    /// The only account that the sign-in may open; nil for the person's, whichever that is.
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

/// A nonce that a sign-in uses up.
package struct NonceUse: Hashable, Sendable {
    package let hash: SecretHash
    /// Until when its use has to be remembered: no token with it may come afterwards.
    package let rememberedUntil: Date

    package init(hash: SecretHash, rememberedUntil: Date) {
        self.hash = hash
        self.rememberedUntil = rememberedUntil.inWholeMicroseconds
    }
}

/// Everything a completed sign-in leaves behind; its random names are made by the caller, so that it can be
/// carried out again when the answer was lost.
package struct SignInCompletion: Hashable, Sendable {
    package let apple: RedeemedSignIn
    /// The account to make when the person has none.
    package let newAccountID: AccountID
    package let opening: SessionOpening
    /// Whether only a session that the same sign-in opened a moment ago is to be replaced.
    package var isRepetition = false

    package init(apple: RedeemedSignIn, newAccountID: AccountID, opening: SessionOpening) {
        self.apple = apple
        self.newAccountID = newAccountID
        self.opening = opening
    }
}

/// A session about to be made.
package struct NewSession: Hashable, Sendable {
    /// The session's package name.
    package let id: SessionID
    package let tokenHash: SecretHash
    /// What the client calls itself.
    package let device: String
    /// When it ends if it is not used.
    package let expiresAt: Date

    package init(id: SessionID, tokenHash: SecretHash, device: String, expiresAt: Date) {
        self.id = id
        self.tokenHash = tokenHash
        self.device = device
        self.expiresAt = expiresAt.inWholeMicroseconds
    }
}

/// How the last step of a sign-in ended.
package enum SignInOutcome: Hashable, Sendable {
    /// There is a session now.
    case signedIn(SignedInSession, isNewAccount: Bool)
    /// Nothing has changed.
    case refused(SignInRefusal)
}

/// Why a sign-in is refused.
package enum SignInRefusal: Error, Hashable {
    /// The identity token has been used.
    case tokenReplayed
    /// The person's consent ended after the identity token was issued.
    case consentRevoked
    /// The nonce has been used.
    case nonceUsed
    /// An account with a password has the same address, which was proved there too.
    case accountExists
    /// The person has another account than the sign-in was to open, or none.
    case otherAccount
}
