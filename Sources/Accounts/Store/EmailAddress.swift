/// An address as an identity token tells it.
public struct EmailAddress: Hashable, Sendable {
    /// The address.
    public let text: String
    /// Whether Apple says that it belongs to the person.
    public let isVerified: Bool
    /// Whether it is one of Apple's relay.
    public let isPrivateRelay: Bool

    /// Makes an address's description.
    public init(text: String, isVerified: Bool, isPrivateRelay: Bool) {
        self.text = text
        self.isVerified = isVerified
        self.isPrivateRelay = isPrivateRelay
    }
}
