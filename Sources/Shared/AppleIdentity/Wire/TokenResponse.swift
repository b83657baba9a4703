import Foundation

/// A successful response of `/auth/token`.
///
/// Source: [TokenResponse](https://developer.apple.com/documentation/signinwithapplerestapi/tokenresponse)
public struct TokenResponse: Hashable, Sendable {
    /// The access token, which Apple accepts for user migration and revocation only.
    public var accessToken: String
    /// The type of the access token, always `Bearer`.
    public var tokenType: String
    /// The lifetime of the access token in seconds; Apple's is 3600.
    public var expiresIn: Int
    /// The refresh token for a code, which does not expire and is not rotated; nil otherwise.
    public var refreshToken: String?
    /// The identity token; nil in the response to the migration grant.
    public var identityToken: String?

    /// Creates a response.
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
