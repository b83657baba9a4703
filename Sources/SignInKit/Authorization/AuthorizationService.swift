import AppleIdentity

/// The system's part of a sign-in: the sheet, the state of a credential, and the news that one was revoked.
///
/// ``SystemAuthorization`` is the device's own, ``EmulatorAuthorization`` asks an emulated Apple.
public protocol AuthorizationService: Sendable {
    /// Asks the person.
    ///
    /// - Parameter request: what is asked for.
    /// - Returns: the one credential that the person chose.
    /// - Throws: ``AuthorizationFailure``.
    func authorize(
        _ request: AuthorizationRequest
    ) async throws(AuthorizationFailure) -> AuthorizedCredential

    /// Looks up what the device knows of a person's consent, without asking anybody.
    ///
    /// - Parameter user: the person.
    /// - Returns: the state; unknown when nobody can tell, as in a simulator.
    func credentialState(of user: UserID) async -> CredentialState

    /// Rings when the system says that a credential was revoked; look at the state then.
    var revocations: AsyncStream<Void> { get }
}

/// What an app asks the system for.
public struct AuthorizationRequest: Hashable, Sendable {
    /// A way in that the system offers.
    public enum Method: Hashable, Sendable {
        /// Sign in with Apple.
        case apple
        /// A password that the system stored.
        case password
    }

    /// The ways in that are offered together.
    public var methods: Set<Method>
    /// What Apple is asked to share.
    public var scopes: Set<Scope>
    /// What Apple writes into the identity token as it is: the nonce, already hashed.
    public var nonce: String?
    /// What comes back unchanged in the credential.
    public var state: String?
    /// Who is expected to sign in, if known.
    public var user: UserID?
    /// Whether nothing may be shown when nothing is stored on the device.
    public var onlyImmediatelyAvailable: Bool

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - methods: the ways in that are offered together.
    ///   - scopes: what Apple is asked to share.
    ///   - nonce: what Apple writes into the identity token.
    ///   - state: what comes back unchanged in the credential.
    ///   - user: who is expected to sign in.
    ///   - onlyImmediatelyAvailable: whether nothing may be shown when nothing is stored.
    public init(
        methods: Set<Method> = [.apple],
        scopes: Set<Scope> = [.name, .email],
        nonce: String? = nil,
        state: String? = nil,
        user: UserID? = nil,
        onlyImmediatelyAvailable: Bool = false
    ) {
        self.methods = methods
        self.scopes = scopes
        self.nonce = nonce
        self.state = state
        self.user = user
        self.onlyImmediatelyAvailable = onlyImmediatelyAvailable
    }
}

/// What the system knows of a person's consent to the app.
///
/// Source: [ASAuthorizationAppleIDProvider.CredentialState](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider/credentialstate)
public enum CredentialState: Hashable, Sendable {
    /// The person uses the app.
    case authorized
    /// The person stopped using the app.
    case revoked
    /// The device knows of no relation between the person and the app.
    case notFound
    /// The app moved to another team.
    case transferred
    /// Nobody can tell, and why.
    case unknown(String)
}
