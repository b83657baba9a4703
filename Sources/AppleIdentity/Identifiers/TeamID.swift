/// The ten characters that name a developer team.
///
/// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
public struct TeamID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension TeamID {
    /// Whether the text has the form Apple gives: ten capital letters or digits.
    public var isWellFormed: Bool { rawValue.isTenCapitalsOrDigits }
}
