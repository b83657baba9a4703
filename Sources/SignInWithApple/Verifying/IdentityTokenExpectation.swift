import AppleIdentity

/// What an identity token must be bound to, besides being Apple's and in time.
public struct IdentityTokenExpectation: Hashable, Sendable {
    /// Which nonce it must carry.
    public var nonce: NonceExpectation
    /// For which of the configured clients it may be meant; nil for all of them.
    public var clientIDs: Set<ClientID>?
    /// The authorization code that came with it.
    public var authorizationCode: String?
    /// The access token that came with it.
    public var accessToken: String?

    /// Makes an expectation.
    ///
    /// - Parameters:
    ///   - nonce: which nonce the token must carry.
    ///   - clientIDs: for which of the configured clients it may be meant; nil for all of them.
    ///   - authorizationCode: the code that came with it.
    ///   - accessToken: the access token that came with it.
    public init(
        nonce: NonceExpectation,
        clientIDs: Set<ClientID>? = nil,
        authorizationCode: String? = nil,
        accessToken: String? = nil
    ) {
        self.nonce = nonce
        self.clientIDs = clientIDs
        self.authorizationCode = authorizationCode
        self.accessToken = accessToken
    }
}
