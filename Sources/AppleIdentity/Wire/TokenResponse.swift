import Foundation

/// What `/auth/token` answers when it grants.
///
/// Source: [TokenResponse](https://developer.apple.com/documentation/signinwithapplerestapi/tokenresponse)
public struct TokenResponse: Hashable, Sendable {
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

    package init(parsing body: Data) throws {
        let answer = JSONFields(try JSONObject(parsing: body))
        accessToken = try answer.text("access_token")
        tokenType = try answer.text("token_type")
        expiresIn = try answer.integer("expires_in")
        refreshToken = try answer.optionalText("refresh_token")
        identityToken = try answer.optionalText("id_token")
    }
}
