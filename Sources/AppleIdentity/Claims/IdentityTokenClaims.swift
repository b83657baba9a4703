import Foundation

/// What an identity token says.
///
/// Decoding proves nothing: only a verifier makes it trustworthy.
///
/// Source: [Identity token](https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token)
public struct IdentityTokenClaims: Hashable, Sendable, Decodable {
    /// Who issued the token: `iss`.
    public package(set) var issuer: String
    /// The clients the token is meant for: `aud`.
    public package(set) var audience: Audience
    /// When the token ends: `exp`.
    public package(set) var expirationTime: Date
    /// When the token was made: `iat`.
    public package(set) var issuedAt: Date
    /// Before when the token must not be used: `nbf`, which Apple does not send.
    public package(set) var notBefore: Date?
    /// The person, as the team knows them: `sub`.
    public package(set) var subject: UserID
    /// The nonce of the request, verbatim: `nonce`.
    public package(set) var nonce: String?
    /// Whether a missing nonce must fail: `nonce_supported`.
    public package(set) var nonceSupported: Bool?
    /// The left half of the authorization code's SHA-256: `c_hash`.
    public package(set) var codeHash: String?
    /// The left half of the access token's SHA-256: `at_hash`.
    public package(set) var accessTokenHash: String?
    /// When the person authenticated: `auth_time`.
    public package(set) var authenticationTime: Date?
    /// The person's address, real or relay; nil when missing or empty: `email`.
    public package(set) var email: String?
    /// Whether Apple verified the address: `email_verified`.
    public package(set) var emailVerified: Bool?
    /// Whether the address is a private relay address: `is_private_email`, left out when it is not.
    public package(set) var isPrivateEmail: Bool?
    /// Apple's guess whether the person is real: `real_user_status`.
    public package(set) var realUserStatus: RealUserStatus?
    /// The person's identifier during a transfer between teams: `transfer_sub`.
    public package(set) var transferSubject: UserID?
    /// The organization of a Managed Apple Account: `org_id`.
    public package(set) var organizationID: String?

    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audience = "aud"
        case expirationTime = "exp"
        case issuedAt = "iat"
        case notBefore = "nbf"
        case subject = "sub"
        case nonce
        case nonceSupported = "nonce_supported"
        case codeHash = "c_hash"
        case accessTokenHash = "at_hash"
        case authenticationTime = "auth_time"
        case email
        case emailVerified = "email_verified"
        case isPrivateEmail = "is_private_email"
        case realUserStatus = "real_user_status"
        case transferSubject = "transfer_sub"
        case organizationID = "org_id"
    }

    /// Decodes claims as Apple has sent them since 2019.
    ///
    /// - Throws: `DecodingError` when a claim is missing or of another type.
    public init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: CodingKeys.self)
        func date(_ key: CodingKeys) throws -> Date? {
            try claims.decodeIfPresent(Double.self, forKey: key)
                .map { Date(timeIntervalSince1970: $0) }
        }
        func boolean(_ key: CodingKeys) throws -> Bool? {
            try claims.decodeIfPresent(LenientBoolean.self, forKey: key)?.value
        }
        issuer = try claims.decode(String.self, forKey: .issuer)
        audience = try claims.decode(Audience.self, forKey: .audience)
        expirationTime = Date(
            timeIntervalSince1970: try claims.decode(Double.self, forKey: .expirationTime)
        )
        issuedAt = Date(timeIntervalSince1970: try claims.decode(Double.self, forKey: .issuedAt))
        notBefore = try date(.notBefore)
        subject = try claims.decode(UserID.self, forKey: .subject)
        nonce = try claims.decodeIfPresent(String.self, forKey: .nonce)
        nonceSupported = try boolean(.nonceSupported)
        codeHash = try claims.decodeIfPresent(String.self, forKey: .codeHash)
        accessTokenHash = try claims.decodeIfPresent(String.self, forKey: .accessTokenHash)
        authenticationTime = try date(.authenticationTime)
        let address = try claims.decodeIfPresent(String.self, forKey: .email)
        email = address?.isEmpty == true ? nil : address
        emailVerified = try boolean(.emailVerified)
        isPrivateEmail = try boolean(.isPrivateEmail)
        // A status of another type is a hint that can't be used, not a reason to refuse a person.
        realUserStatus = try? claims.decodeIfPresent(RealUserStatus.self, forKey: .realUserStatus)
        transferSubject = try claims.decodeIfPresent(UserID.self, forKey: .transferSubject)
        organizationID = try claims.decodeIfPresent(String.self, forKey: .organizationID)
    }
}
