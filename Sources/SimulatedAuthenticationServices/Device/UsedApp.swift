import AppleIdentity

/// An app of the list *Sign in with Apple* in the device's Settings.
public struct UsedApp: Hashable, Sendable {
    /// What the app knows of the person's address.
    public enum Email: Hashable, Sendable {
        /// Nothing.
        case notShared
        /// The address.
        case shared(String)
        /// A relay address, which leads to the person while mail is forwarded. It is nil after the
        /// app went to a team that has not met the person.
        case hidden(relay: String?, isForwarded: Bool)
    }

    /// The app: the first of its group.
    public let id: ClientID
    /// What people call it.
    public let name: String
    /// Who made it.
    public let developer: String
    /// What it knows of the person's address.
    public let email: Email
}
