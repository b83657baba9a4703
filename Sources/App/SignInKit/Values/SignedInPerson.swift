/// The signed-in user, with the account data last received from the server.
public struct SignedInPerson: Hashable, Sendable, Codable {
    /// The account.
    public var account: AccountProfile
    /// Whether the server has confirmed the session since launch.
    public var isConfirmed: Bool

    /// Creates a user with the given values.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - isConfirmed: whether the server was heard from since launch.
    public init(account: AccountProfile, isConfirmed: Bool) {
        self.account = account
        self.isConfirmed = isConfirmed
    }
}
