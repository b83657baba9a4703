import AppleIdentity

/// A person as the team knows them that received an app.
public struct MigratedUser: Sendable, Hashable, Codable {
    /// The person's identifier for the recipient team.
    public let user: UserID
    /// The person's new relay address; nil for people who do not hide their address.
    public let email: String?
    /// Whether the address is a private relay address.
    public let isPrivateEmail: Bool

    init(user: UserID, email: String?, isPrivateEmail: Bool) {
        self.user = user
        self.email = email
        self.isPrivateEmail = isPrivateEmail
    }
}
