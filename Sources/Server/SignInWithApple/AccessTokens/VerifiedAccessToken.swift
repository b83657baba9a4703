import AppleIdentity
import Foundation

/// An access token that passed every check.
public struct VerifiedAccessToken: Hashable, Sendable {
    /// The account: `sub`.
    public var accountID: String { claims.subject.rawValue }
    /// The session that the token was issued to: `sid`.
    public var sessionID: String { claims.sessionID }
    /// The identifier of the token: `jti`.
    public var tokenID: String { claims.tokenID }
    /// When the user signed in: `auth_time`.
    public var authenticationTime: Date { claims.authenticationTime }
    /// How the user signed in: `amr`.
    public var authenticationMethods: [String] { claims.authenticationMethods }
    /// When the token was issued: `iat`.
    public var issuedAt: Date { claims.issuedAt }
    /// When the token expires: `exp`.
    public var expirationTime: Date { claims.expirationTime }
    /// All claims.
    package var document: JSONObject { claims.document }

    private let claims: AccessTokenClaims

    init(_ claims: AccessTokenClaims) { self.claims = claims }
}

/// The claims of an access token, decoded but not verified.
///
/// Source: [RFC 9068, section 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)
struct AccessTokenClaims: Hashable, Sendable, TokenClaims {
    let issuer: String
    let audience: Audience
    let subject: UserID
    let expirationTime: Date
    let issuedAt: Date
    let notBefore: Date?
    let tokenID: String
    let sessionID: String
    let authenticationTime: Date
    let authenticationMethods: [String]
    let document: JSONObject

    init(_ payload: Data) throws(SignInError) {
        do {
            try self.init(JSONFields(JSONObject(parsing: payload)))
        } catch {
            throw SignInError(.tokenMalformed, hint: "its claims are invalid: \(error)")
        }
    }

    private init(_ fields: JSONFields) throws(JSONFieldError) {
        issuer = try fields.text("iss")
        audience = try fields.require(
            "aud",
            fields.optional("aud", "a string or an array of strings", Audience.init)
        )
        subject = UserID(rawValue: try fields.text("sub"))
        expirationTime = try fields.time("exp")
        issuedAt = try fields.time("iat")
        notBefore = try fields.optional("nbf", "a number", \.timeValue)
        tokenID = try fields.text("jti")
        sessionID = try fields.text("sid")
        authenticationTime = try fields.time("auth_time")
        authenticationMethods = try fields.optionalTexts("amr") ?? []
        document = fields.object
    }
}
