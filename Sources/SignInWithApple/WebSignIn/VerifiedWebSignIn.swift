import AppleIdentity

/// A web sign-in whose every check passed; its code has not been redeemed.
public struct VerifiedWebSignIn: Sendable {
    /// Who the person is.
    public let identity: VerifiedIdentity
    /// The identity token, for servers that remember the hashes of those they have seen.
    public let identityToken: String
    /// The authorization code: redeem it once, within five minutes, with ``redirectURI``.
    public let code: String
    /// The name as the person typed it at Apple's page, told on the first sign-in only.
    ///
    /// Nobody vouches for it. It has at most 200 characters, and no invisible ones.
    public let name: PersonName?
    /// Whether Apple's page sent a name that could not be read: ask the person for it.
    public let isNameUnreadable: Bool
    /// The redirect address of the sign-in, which Apple asks for again with the code.
    public let redirectURI: String
    /// The nonce of the sign-in; no other sign-in has it.
    public let nonce: String
}
