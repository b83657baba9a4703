/// The paths of Apple's service, below `https://appleid.apple.com`.
public enum ApplePath {
    /// The page that asks a person.
    public static let authorize = "/auth/authorize"
    /// Exchanges codes and checks refresh tokens.
    public static let token = "/auth/token"
    /// Ends the relation between a person and an app.
    public static let revoke = "/auth/revoke"
    /// The public keys of identity tokens and notifications.
    public static let keys = "/auth/keys"
    /// Moves people between teams.
    public static let userMigrationInformation = "/auth/usermigrationinfo"
    /// The OpenID Connect discovery document.
    public static let discovery = "/.well-known/openid-configuration"
}
