/// What `/auth/token` answers when it grants.
///
/// Source: [TokenResponse](https://developer.apple.com/documentation/signinwithapplerestapi/tokenresponse)
public struct TokenResponse: Hashable, Sendable, Codable {
    /// Good for one hour and for nothing but moving a person between teams.
    public var accessToken: String
    /// `Bearer`.
    public var tokenType: String
    /// The access token's life in seconds.
    public var expiresIn: Int
    /// Answered to a code only; it does not expire and is not rotated.
    public var refreshToken: String?
    /// The identity token; missing in the answer to the migration grant.
    public var identityToken: String?

    /// Makes an answer.
    public init(
        accessToken: String,
        tokenType: String,
        expiresIn: Int,
        refreshToken: String?,
        identityToken: String?
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.identityToken = identityToken
    }

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case identityToken = "id_token"
    }
}
