/// The last step of a checked sign-in, after its code, if it has one, was exchanged.
///
/// The caller creates its random identifiers and encrypts the refresh token, and can repeat the call when the result
/// was lost.
package struct SignInCommit: Hashable, Sendable {
    package let check: SignInCheck
    /// Apple's refresh token; nil when Apple sent none.
    package let refreshToken: RefreshToken?
    /// The identifier of a new account, if the user has no account yet.
    package let newAccountID: AccountID
    package let opening: SessionOpening
    /// Whether to only replace the session that the same sign-in created a moment ago.
    package var isRepetition = false
}

/// The new session with its account, or the refusal.
package typealias SignInOutcome = Result<SignedInSession, AccountsError>

/// The result of a sign-in.
package struct SignInReceipt: Sendable {
    package let account: Account
    package let session: Session
    /// The secret of the session, which cannot be read again later.
    package let token: SessionToken
    /// Whether this sign-in created the account.
    package let isNewAccount: Bool

    init(_ signedIn: SignedInSession, _ token: SessionToken, isNewAccount: Bool = false) {
        (account, session) = (signedIn.account, signedIn.session)
        (self.token, self.isNewAccount) = (token, isNewAccount)
    }
}
