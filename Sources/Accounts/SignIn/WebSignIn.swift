import AppleIdentity
import SignInWithApple

/// What Apple's page posted back, and what the ceremony that led there remembers.
///
/// Whoever makes one has compared the callback's `state` with the ceremony's.
public struct WebSignIn: Sendable {
    /// The posted form.
    public var callback: AuthorizationCallback
    /// The nonce of the ceremony, as it was sent to Apple.
    public var nonce: String
    /// The redirect address of the ceremony.
    public var redirectURI: String
    /// The Services ID that asked.
    public var servicesID: ClientID
    /// What the browser calls itself.
    public var device: String
    /// The session token the browser has had so far; that session ends.
    public var previousSessionToken: String?

    /// Makes a request.
    public init(
        callback: AuthorizationCallback,
        nonce: String,
        redirectURI: String,
        servicesID: ClientID,
        device: String = "",
        previousSessionToken: String? = nil
    ) {
        self.callback = callback
        self.nonce = nonce
        self.redirectURI = redirectURI
        self.servicesID = servicesID
        self.device = device
        self.previousSessionToken = previousSessionToken
    }
}
