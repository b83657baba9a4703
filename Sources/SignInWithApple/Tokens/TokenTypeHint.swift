/// Which kind of token is to be revoked.
///
/// Source: [Token revocation](https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens)
public enum TokenTypeHint: String, Hashable, Sendable, Codable {
    /// A refresh token.
    case refreshToken = "refresh_token"
    /// An access token.
    case accessToken = "access_token"
}
