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
