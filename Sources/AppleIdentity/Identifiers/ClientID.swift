/// The bundle identifier of an app, or the Services ID of a web site.
///
/// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens)
public struct ClientID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
