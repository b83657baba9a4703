import AppleIdentity
import Foundation

/// A completed sign-in at Apple, which creates a session or links an identity.
///
/// The refresh token is encrypted beforehand, and the call can be repeated when its result was lost.
package struct RedeemedSignIn: Hashable, Sendable {
    /// The sign-in as it was begun.
    package let attempt: SignInAttempt
    package let clientID: ClientID
    /// The email address in the token; nil leaves the account's unchanged.
    package let email: EmailAddress?
    /// Until when the use of the identity token is remembered.
    package let tokenRememberedUntil: Date
    /// Apple's refresh token; nil when Apple sent none.
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
