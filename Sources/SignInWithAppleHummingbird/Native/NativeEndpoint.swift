import AppleIdentity

/// What signing in from an app needs.
public struct NativeEndpoint: Sendable {
    /// The bundle identifiers of the apps, all of them configured in the facade.
    public var clientIDs: Set<ClientID>
    /// Whether an app has to send the authorization code too.
    ///
    /// Apple redeems a code once, so that nobody can use a sign-in a second time. Without a code your
    /// server has to remember the nonces or the tokens it has seen.
    public var requiresCode: Bool

    /// Describes the endpoint.
    ///
    /// - Parameters:
    ///   - clientIDs: the bundle identifiers of the apps.
    ///   - requiresCode: whether an app has to send the authorization code too.
    public init(clientIDs: Set<ClientID>, requiresCode: Bool = true) {
        self.clientIDs = clientIDs
        self.requiresCode = requiresCode
    }
}
