import AppleIdentity

/// What an app sends after the system's sheet.
public struct NativeSignIn: Sendable {
    /// The identity token from the credential.
    public var identityToken: String
    /// The authorization code from the credential; only with it can a deletion reach Apple.
    public var authorizationCode: String?
    /// The nonce before hashing, when the app's request had one.
    public var nonce: String?
    /// The name, which Apple tells the app only the first time.
    public var fullName: PersonName?
    /// What the client calls itself.
    public var device: String
    /// The session token the client has had so far; that session ends.
    public var previousSessionToken: String?

    /// Makes a request.
    public init(
        identityToken: String,
        authorizationCode: String? = nil,
        nonce: String? = nil,
        fullName: PersonName? = nil,
        device: String = "",
        previousSessionToken: String? = nil
    ) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.fullName = fullName
        self.device = device
        self.previousSessionToken = previousSessionToken
    }
}
