import AppleIdentity
import SignInWithApple

/// What signing in with a browser needs.
public struct WebFlow: Sendable {
    /// The Services ID, one of the facade's clients.
    public var servicesID: ClientID
    /// Where Apple makes the browser post its answer, exactly as registered at Apple.
    ///
    /// A whole address that ends where the callback is mounted, `/auth/apple/callback`; https, or
    /// http on a name of this machine, which an emulated Apple allows.
    public var redirectURI: String
    /// Seals what a browser keeps while it is at Apple; all replicas need the same keys.
    public var sealer: TokenSealer
    /// What the person is asked to share: name, address, both or nothing.
    public var scopes: [Scope]
    /// The path of your own page to which a person returns who pressed Cancel.
    public var cancelPath: String

    /// Describes the flow.
    ///
    /// - Parameters:
    ///   - servicesID: the Services ID.
    ///   - redirectURI: where Apple makes the browser post its answer, as registered at Apple.
    ///   - sealer: seals what a browser keeps while it is at Apple.
    ///   - scopes: what the person is asked to share.
    ///   - cancelPath: the path to which a person returns who pressed Cancel.
    public init(
        servicesID: ClientID,
        redirectURI: String,
        sealer: TokenSealer,
        scopes: [Scope] = [.name, .email],
        cancelPath: String = "/"
    ) {
        self.servicesID = servicesID
        self.redirectURI = redirectURI
        self.sealer = sealer
        self.scopes = scopes
        self.cancelPath = cancelPath
    }
}
