import AppleIdentity
import Foundation

/// What a ``SignInClient`` is told before it starts.
public struct SignInConfiguration: Hashable, Sendable {
    /// The accounts server: an `https` address, or on this machine also an `http` one.
    public var server: URL
    /// What a person is asked to share the first time.
    public var scopes: Set<Scope>
    /// What the list of sessions calls this device; the system's name for it when nil.
    public var deviceName: String?
    /// The app, which the way in by browser names; the bundle identifier when left out.
    public var clientID: ClientID?

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - server: the accounts server.
    ///   - scopes: what a person is asked to share the first time.
    ///   - deviceName: what the list of sessions calls this device.
    ///   - clientID: the app, which the way in by browser names; the bundle identifier when left out.
    public init(
        server: URL,
        scopes: Set<Scope> = [.name, .email],
        deviceName: String? = nil,
        clientID: ClientID? = nil
    ) {
        self.server = server
        self.scopes = scopes
        self.deviceName = deviceName
        self.clientID = clientID ?? Bundle.main.bundleIdentifier.map { ClientID($0) }
    }
}
