import AppleIdentity
import Foundation

/// A sign-in at Apple that is over: what it leaves behind, whether it opens a session or links an identity.
///
/// The refresh token is sealed beforehand, so that what is made of the sign-in can be carried out again when
/// the answer was lost.
package struct RedeemedSignIn: Hashable, Sendable {
    /// The sign-in as it began.
    package let attempt: SignInAttempt
    package let clientID: ClientID
    /// The address in the token; nil leaves the account's address as it is.
    package let email: EmailAddress?
    /// Until when the identity token's use has to be remembered.
    package let tokenRememberedUntil: Date
    /// Apple's refresh token; nil when there is none.
    package let refreshToken: RefreshToken?

    package init(
        attempt: SignInAttempt,
        clientID: ClientID,
        email: EmailAddress?,
        tokenRememberedUntil: Date,
        refreshToken: RefreshToken?
    ) {
        self.attempt = attempt
        self.clientID = clientID
        self.email = email
        self.tokenRememberedUntil = tokenRememberedUntil.inWholeMicroseconds
        self.refreshToken = refreshToken
    }
}
