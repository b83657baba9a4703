import AppleIdentity
import Foundation

/// Who a person is, by an identity token whose every check passed; only the verifier makes one.
///
/// An account belongs to the pair of ``issuer`` and ``user``, never to the e-mail address.
public struct VerifiedIdentity: Sendable, Hashable {
    /// The person, as the developer team knows them.
    public var user: UserID { claims.subject }
    /// Who vouched for it.
    public var issuer: String { claims.issuer }
    /// The client the token was meant for.
    public let clientID: ClientID
    /// The address, real or relay; nil when it was not shared.
    public var email: String? { claims.email }
    /// Whether Apple verified the address; false when nothing was said.
    public var isEmailVerified: Bool { claims.emailVerified ?? false }
    /// Whether the address is a private relay address, by its claim or its domain.
    public let isPrivateEmail: Bool
    /// Apple's guess whether the person is real; told on the first native sign-in only.
    public var realUserStatus: RealUserStatus? { claims.realUserStatus }
    /// When the token was made.
    public var issuedAt: Date { claims.issuedAt }
    /// When the token ends.
    public var expirationTime: Date { claims.expirationTime }
    /// When the person authenticated.
    public var authenticationTime: Date? { claims.authenticationTime }
    /// The nonce the token carried.
    public var nonce: String? { claims.nonce }
    /// The person's identifier while the app moves to another team.
    public var transferUser: UserID? { claims.transferSubject }
    /// The organization of a Managed Apple Account.
    public var organizationID: String? { claims.organizationID }

    private let claims: IdentityTokenClaims

    init(_ claims: consuming IdentityTokenClaims, clientID: ClientID, relayDomains: RelayDomains) {
        isPrivateEmail = relayDomains.isRelayAddress(claims.email, claim: claims.isPrivateEmail)
        self.claims = claims
        self.clientID = clientID
    }
}
