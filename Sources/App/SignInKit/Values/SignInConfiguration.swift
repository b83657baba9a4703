import AppleIdentity
import Foundation

/// The settings of a ``SignInClient``.
public struct SignInConfiguration: Hashable, Sendable {
    /// The base URL of the accounts server.
    ///
    /// It must use https, or http on a loopback host; otherwise calls throw ``SignInKitError/Kind/insecureServer``.
    public var server: URL
    /// The scopes, which the user is asked to share at the first sign-in.
    public var scopes: Set<Scope>
    /// The name in the list of sessions; nil for `App on iOS` or the like.
    ///
    /// It has at most 200 ASCII characters; other characters become `?`.
    public var deviceName: String?
    /// The client ID for sign-ins in a browser; the bundle identifier by default.
    public var clientID: ClientID?
    /// The keychain access group whose running apps notify each other of sign-ins and sign-outs; nil for none.
    public var accessGroup: String?

    /// Creates a configuration with the given values.
    ///
    /// - Parameters:
    ///   - server: the base URL of the accounts server.
    ///   - scopes: the scopes, which the user is asked to share at the first sign-in.
    ///   - deviceName: the name in the list of sessions; nil for `App on iOS` or the like.
    ///   - clientID: the client ID for sign-ins in a browser; the bundle identifier by default.
    ///   - accessGroup: the keychain access group of the ``CredentialStore``; nil for none.
    public init(
        server: URL,
        scopes: Set<Scope> = [.name, .email],
        deviceName: String? = nil,
        clientID: ClientID? = nil,
        accessGroup: String? = nil
    ) {
        self.server = server
        self.scopes = scopes
        self.deviceName = deviceName
        self.clientID = clientID ?? Bundle.main.bundleIdentifier.map { ClientID($0) }
        self.accessGroup = accessGroup
    }
}
