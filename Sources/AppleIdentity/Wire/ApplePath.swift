/// The paths of Apple's service, below `https://appleid.apple.com`.
package enum ApplePath {
    /// The page that asks a person.
    package static let authorize = "/auth/authorize"
    /// Exchanges codes and checks refresh tokens.
    package static let token = "/auth/token"
    /// Ends the relation between a person and an app.
    package static let revoke = "/auth/revoke"
    /// The package keys of identity tokens and notifications.
    package static let keys = "/auth/keys"
    /// Moves people between teams.
    package static let userMigrationInformation = "/auth/usermigrationinfo"
    /// The OpenID Connect discovery document.
    package static let discovery = "/.well-known/openid-configuration"
}
