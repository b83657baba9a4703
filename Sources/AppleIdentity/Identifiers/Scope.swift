/// What an app asks a person to share.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
public struct Scope: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Scope {
    /// The person's name, told once, beside the token.
    public static let name: Scope = "name"
    /// The person's e-mail address, told in each identity token.
    public static let email: Scope = "email"
    /// Accepted by Apple and without effect.
    public static let openid: Scope = "openid"
}
