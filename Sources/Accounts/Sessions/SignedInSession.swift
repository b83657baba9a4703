/// A session and the account it opens, as one look at the store finds them.
public struct SignedInSession: Hashable, Sendable {
    /// The session.
    public let session: Session
    /// Its account.
    public let account: Account

    /// Puts the two together.
    public init(session: Session, account: Account) {
        self.session = session
        self.account = account
    }
}
