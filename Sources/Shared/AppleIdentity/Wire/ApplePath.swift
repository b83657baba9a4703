/// The paths of Apple's service, below `https://appleid.apple.com`.
package enum ApplePath {
    /// The page on which the user signs in.
    package static let authorize = "/auth/authorize"
    /// Exchanges codes and checks refresh tokens.
    package static let token = "/auth/token"
    package static let revoke = "/auth/revoke"
    package static let keys = "/auth/keys"
    /// Migrates users between teams.
    package static let userMigrationInformation = "/auth/usermigrationinfo"
    package static let discovery = "/.well-known/openid-configuration"
}

/// The way in which Apple's authorize page returns its response.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
package enum ResponseMode: String, Hashable, Sendable, Codable {
    /// Parameters in the query of the redirect URI.
    case query
    /// Parameters in the fragment of the redirect URI.
    case fragment
    /// A form that the browser posts; required if a scope is requested.
    case formPost = "form_post"
    /// A message from a popup to the page that opened it.
    case webMessage = "web_message"
}
