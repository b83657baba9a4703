import AppleIdentity

/// Requests credentials from the system, and reports their state.
///
/// ``SystemAuthorization`` is the device's own, ``EmulatorAuthorization`` uses the emulator.
public protocol AuthorizationService: Sendable {
    /// Shows the authorization sheet, and returns the credential that the user chose.
    ///
    /// - Parameter request: the request.
    /// - Returns: the credential that the user chose.
    /// - Throws: ``AuthorizationFailure``.
    func authorize(
        _ request: AuthorizationRequest
    ) async throws(AuthorizationFailure) -> AuthorizedCredential

    /// Returns the state of a user's credential, without user interaction.
    ///
    /// - Parameter user: the user identifier.
    /// - Returns: the state; ``CredentialState/unknown(_:)`` in a simulator or after an error.
    func credentialState(of user: UserID) async -> CredentialState

    /// Yields a value when the system reports that a credential was revoked. Then call ``credentialState(of:)``.
    var revocations: AsyncStream<Void> { get }
}

/// An authorization request: the methods, scopes, nonce and state.
public struct AuthorizationRequest: Hashable, Sendable {
    /// A sign-in method that the system offers.
    public enum Method: Hashable, Sendable {
        /// Sign in with Apple.
        case apple
        /// A password that the system stored.
        case password
    }

    /// The sign-in methods that are offered together.
    public var methods: Set<Method>
    /// The scopes that the user is asked to share.
    public var scopes: Set<Scope>
    /// The value for the token's `nonce` claim.
    ///
    /// ``SignInClient`` passes the SHA-256 of its nonce as lowercase hexadecimal digits.
    public var nonce: String?
    /// A value that the credential returns unchanged.
    public var state: String?
    /// The user who is expected to sign in, if known.
    public var user: UserID?
    /// Whether the request fails without a sheet if the device has no stored credential
    /// (`preferImmediatelyAvailableCredentials`).
    public var onlyImmediatelyAvailable: Bool

    /// Creates a request with the given values.
    ///
    /// - Parameters:
    ///   - methods: the sign-in methods that are offered together.
    ///   - scopes: the scopes that are requested.
    ///   - nonce: the value of the identity token's `nonce` claim.
    ///   - state: a value that the credential returns unchanged.
    ///   - user: who is expected to sign in.
    ///   - onlyImmediatelyAvailable: whether to fail without a sheet if no credential is stored.
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

/// The state of a user's Sign in with Apple credential for this app.
///
/// Source: [ASAuthorizationAppleIDProvider.CredentialState](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider/credentialstate)
public enum CredentialState: Hashable, Sendable {
    /// The user uses the app.
    case authorized
    /// The user stopped using the app.
    case revoked
    /// The device has no credential of this user for the app.
    case notFound
    /// The app moved to another team.
    case transferred
    /// The state is not available; the string says why.
    case unknown(String)
}
