import AppleIdentity
import Foundation

/// Who a person is, by an identity token whose every check passed; only the verifier makes one.
///
/// An account belongs to the pair of ``issuer`` and ``user``, never to the e-mail address.
public struct VerifiedIdentity: Sendable, Hashable {
    /// The person, as the developer team knows them.
    public let user: UserID
    /// Who vouched for it.
    public let issuer: String
    /// The client the token was meant for.
    public let clientID: ClientID
    /// The address, real or relay; nil when it was not shared.
    public let email: String?
    /// Whether Apple verified the address; false when nothing was said.
    public let isEmailVerified: Bool
    /// Whether the address is a private relay address.
    public let isPrivateEmail: Bool
    /// Apple's guess whether the person is real; told on the first native sign-in only.
    public let realUserStatus: RealUserStatus?
    /// When the token was made.
    public let issuedAt: Date
    /// When the token ends.
    public let expirationTime: Date
    /// When the person authenticated.
    public let authenticationTime: Date?
    /// The nonce the token carried.
    public let nonce: String?
    /// The person's identifier while the app moves to another team.
    public let transferUser: UserID?
    /// The organization of a Managed Apple Account.
    public let organizationID: String?

    init(_ claims: IdentityTokenClaims, clientID: ClientID) {
        user = claims.subject
        issuer = claims.issuer
        self.clientID = clientID
        email = claims.email
        isEmailVerified = claims.emailVerified ?? false
        isPrivateEmail = claims.isPrivateEmail ?? false
        realUserStatus = claims.realUserStatus
        issuedAt = claims.issuedAt
        expirationTime = claims.expirationTime
        authenticationTime = claims.authenticationTime
        nonce = claims.nonce
        transferUser = claims.transferSubject
        organizationID = claims.organizationID
    }
}
