/// The paths of Apple's service, below `https://appleid.apple.com`.
package enum ApplePath {
    /// The page that asks a person.
    package static let authorize = "/auth/authorize"
    /// Exchanges codes and checks refresh tokens.
    package static let token = "/auth/token"
    /// Ends the relation between a person and an app.
    package static let revoke = "/auth/revoke"
    package static let keys = "/auth/keys"
    /// Moves people between teams.
    package static let userMigrationInformation = "/auth/usermigrationinfo"
    package static let discovery = "/.well-known/openid-configuration"
}

/// How Apple's authorize page answers.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
package enum ResponseMode: String, Hashable, Sendable, Codable {
    /// Parameters in the redirect's query.
    case query
    /// Parameters in the redirect's fragment.
    case fragment
    /// A form that the browser posts; the only mode that carries scopes.
    case formPost = "form_post"
    /// A message from a popup to the page that opened it.
    case webMessage = "web_message"
}
