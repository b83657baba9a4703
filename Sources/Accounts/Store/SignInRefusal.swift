/// Why the store refuses a sign-in.
public enum SignInRefusal: Hashable, Sendable {
    /// The identity token has been used.
    case tokenReplayed
    /// The person's consent ended after the identity token was issued.
    case consentRevoked
    /// The server has not given out the nonce.
    case nonceUnknown
    /// The nonce has been used.
    case nonceUsed
    /// The nonce's time is over.
    case nonceExpired
}
