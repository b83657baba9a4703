import AppleIdentity
import Foundation

/// A sign-in with a verified identity token: what is known and checked before its code is exchanged.
package struct SignInCheck: Hashable, Sendable {
    /// Seconds for which the name of a sign-in that was not completed is kept.
    package static let pendingNameMemory: TimeInterval = 30 * 86_400

    package let person: ApplePerson
    package let clientID: ClientID
    /// The user's identifier from before the app's transfer to this team.
    package var transferred: ApplePerson?
    /// The name that Apple sent, stored until the sign-in completes.
    package let name: AccountName?
    /// The email address in the token; nil leaves the account's unchanged.
    package let email: EmailAddress?
    package let identityTokenHash: SecretHash
    /// Until when the use of the identity token is remembered.
    package let identityTokenRememberedUntil: Date
    /// When the identity token was issued, by Apple's clock; the user consented then.
    package let issuedAt: Date
    /// The nonce to remember as used; nil when there is nothing to remember.
    package let nonce: NonceUse?
    /// The token of the session of a web sign-in, by which a repeated callback finds it; nil for a random one.
    package var sessionToken: SessionToken?
    /// Whether the user signed in at Apple's web page.
    package var isWeb = false
    /// The only account that the sign-in may use; nil for the user's, whichever that is.
    package var requiredAccount: AccountID?
    package var client = ClientDescription()
    package let now: Date

    /// How the user signed in, for the log lines and the audit log.
    var way: String { isWeb ? "web" : "native" }

    /// The key of the user's own email address, if Apple reports it as verified.
    package var emailKey: String? {
        email.flatMap { $0.isVerified && !$0.isPrivateRelay ? $0.key : nil }
    }
}

/// A nonce that a sign-in uses.
package struct NonceUse: Hashable, Sendable {
    package let hash: SecretHash
    /// Until when its use is remembered; no token with this nonce is accepted after that.
    package let rememberedUntil: Date
}

/// The allowed origin of a sign-in's nonce.
package enum NonceOrigin: Hashable, Sendable {
    /// The server issued it; any other nonce is refused.
    case server
    /// The server or the app created it; a nonce of the server is valid once.
    case serverOrApp
    /// A web sign-in created it and found it in the token; it is valid once.
    case webSignIn
}
