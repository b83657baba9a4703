import AppleIdentity
import Foundation
import SignedTokens

/// The user's name from a rejected web sign-in, for the next one in the same browser.
///
/// Apple sends the name only once, so a rejected sign-in would lose it. Store this value in a cookie of
/// ``SiteCookies`` for at least an hour, encrypted with a ``TokenSealer``. Nothing in it is verified: use it only for
/// an account without a name, show the user where the name comes from, and let them change it.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
public struct SuggestedName: Codable, Hashable, Sendable {
    /// The name in the posted form, within its limits.
    public let name: PersonName
    /// The issuer in the token, unverified.
    public let claimedIssuer: String
    /// The user in the token, unverified.
    public let claimedUser: UserID

    /// Reads the name from a rejected callback.
    ///
    /// It is nil if the state is not the pending sign-in's, because the form may be forged, or if the name or
    /// the token cannot be read.
    ///
    /// - Parameters:
    ///   - callback: the posted form.
    ///   - pending: the pending sign-in from the browser's cookie, even if it has expired.
    public init?(_ callback: AuthorizationCallback, pending: PendingWebSignIn) {
        guard let state = callback.state, ConstantTime.isEqual(pending.state, state),
            let name = try? callback.user?.name?.checked(),
            let token = callback.identityToken.flatMap({ try? UnverifiedToken($0) }),
            let claims = try? JSONObject(parsing: token.unverifiedPayload),
            let issuer = claims["iss"]?.stringValue, let user = claims["sub"]?.stringValue
        else { return nil }
        self.name = name
        claimedIssuer = issuer
        claimedUser = UserID(user)
    }

    /// Returns the name for the user of the rejected token.
    ///
    /// - Parameter identity: the verified identity that signs in now.
    /// - Returns: the name; nil for another user.
    public func name(for identity: VerifiedIdentity) -> PersonName? {
        identity.issuer == claimedIssuer && identity.userID == claimedUser ? name : nil
    }
}
