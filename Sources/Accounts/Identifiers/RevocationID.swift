import AppleIdentity

/// The name of one entry in the outbox of revocations.
public struct RevocationID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
