import AppleIdentity
import Foundation
import SignInWithApple

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
    private let claims: AccessTokenClaims

    package init(_ claims: AccessTokenClaims) { self.claims = claims }
}
