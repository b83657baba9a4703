/// A person as one developer team knows them: the token's `sub`, opaque and case-sensitive.
///
/// Source: [Identity token](https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token)
public struct UserID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
