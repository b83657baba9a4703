import AppleIdentity
import Foundation
import SignedTokens

/// The name of a web sign-in that was refused, for the person's next one in the same browser.
///
/// Apple sends the name only once, so that it would be lost with the refusal. Have the browser keep this value for an
/// hour at least, sealed with a ``TokenSealer`` into a cookie of ``SiteCookies``. Nothing in it is verified:
/// take it for an account without a name alone, tell the person where the name comes from, and let them change it.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
public struct SuggestedName: Codable, Hashable, Sendable {
    /// The name as the posted form had it, within its limits.
    public let name: PersonName
    /// The issuer that the token named, unverified.
    public let issuer: String
    /// The person that the token named, unverified.
    public let user: UserID

    /// Takes the name out of a callback, whatever it is refused for.
    ///
    /// - Parameters:
    ///   - callback: the posted form.
    ///   - pending: what this browser kept of the sign-in, also of one that has expired. Nil comes back when
    ///     its state is another one: somebody else may have made the form.
    public init?(_ callback: AuthorizationCallback, pending: PendingWebSignIn) {
        guard let state = callback.state, ConstantTime.isEqual(pending.state, state),
            let name = try? callback.user?.name?.checked(),
            let token = callback.identityToken.flatMap({ try? UnverifiedToken($0) }),
            let claims = try? JSONObject(parsing: token.unverifiedPayload),
            let issuer = claims["iss"]?.stringValue, let user = claims["sub"]?.stringValue
        else { return nil }
        self.name = name
        self.issuer = issuer
        self.user = UserID(user)
    }

    /// The name, for the person whose token named it.
    ///
    /// - Parameter identity: who signs in now, verified.
    /// - Returns: the name; nil when it is another person.
    public func name(for identity: VerifiedIdentity) -> PersonName? {
        identity.issuer == issuer && identity.user == user ? name : nil
    }
}
