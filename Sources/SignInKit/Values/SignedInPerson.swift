/// The person as the server confirmed them last.
public struct SignedInPerson: Hashable, Sendable, Codable {
    /// The account.
    public var account: AccountProfile
    /// Whether the server was heard from since launch; without a network it is not.
    public var isConfirmed: Bool

    /// Makes a person.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - isConfirmed: whether the server was heard from since launch.
    public init(account: AccountProfile, isConfirmed: Bool) {
        self.account = account
        self.isConfirmed = isConfirmed
    }
}
