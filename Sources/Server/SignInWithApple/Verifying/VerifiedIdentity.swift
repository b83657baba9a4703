import AppleIdentity
import Foundation

/// The identity of a user, from an identity token that passed every check.
///
/// Identify an account by ``issuer`` and ``userID``, never by the email address.
public struct VerifiedIdentity: Sendable, Hashable {
    /// The user's identifier in the developer team (`sub`).
    public var userID: UserID { claims.subject }
    /// The issuer (`iss`).
    public var issuer: String { claims.issuer }
    /// The client that the token was issued for (`aud`).
    public let clientID: ClientID
    /// The email address, real or private relay; nil if it was not shared.
    public var email: String? { claims.email }
    /// Whether Apple verified the email address; false if the token does not say.
    public var isEmailVerified: Bool { claims.emailVerified ?? false }
    /// Whether the email address is a private relay address, by its claim or its domain.
    public let isPrivateEmail: Bool
    /// Apple's estimate whether the user is a real person, at the first sign-in from an app only.
    public var realUserStatus: RealUserStatus? { claims.realUserStatus }
    /// When the token was issued (`iat`).
    public var issuedAt: Date { claims.issuedAt }
    /// When the token expires (`exp`).
    public var expirationTime: Date { claims.expirationTime }
    /// When the user authenticated (`auth_time`).
    public var authenticationTime: Date? { claims.authenticationTime }
    /// The nonce of the token.
    public var nonce: String? { claims.nonce }
    /// The user's transfer identifier (`transfer_sub`) during the app's transfer to another team.
    public var transferUser: UserID? { claims.transferSubject }
    /// The organization of a Managed Apple Account.
    public var organizationID: String? { claims.organizationID }

    private let claims: IdentityTokenClaims

    package init(
        _ claims: consuming IdentityTokenClaims,
        clientID: ClientID,
        relayDomains: RelayDomains
    ) {
        isPrivateEmail = relayDomains.isRelayAddress(claims.email, claim: claims.isPrivateEmail)
        self.claims = claims
        self.clientID = clientID
    }
}
