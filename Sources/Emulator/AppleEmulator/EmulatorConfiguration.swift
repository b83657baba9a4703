import Foundation

/// The settings of an emulator, except its registrations (see ``Seed``).
public struct EmulatorConfiguration: Hashable, Sendable {
    /// The `iss` of every token, independent of the URL of the emulator.
    public var issuer: String
    /// Whether the emulator refuses what only Apple refuses.
    ///
    /// That is a redirect URI or notification URL to this machine or a container, and a switch in a request.
    public var isStrict: Bool
    /// The number of published signing keys, 1 to 8.
    public var signingKeyCount: Int
    /// The lifetime of identity tokens, in seconds; 86 400 by default, as at Apple since 2020.
    public var identityTokenSeconds: Int
    /// The number of requests kept in the log, at least 1.
    public var maximumRequestLogCount: Int
    /// The key from which user identifiers and relay addresses are derived, 32 bytes.
    ///
    /// With a key, they are the same in each run. Nil makes them random.
    public var identifierKey: Data?
    /// The name of the world; nil for the one without a name.
    package var world: WorldName?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - issuer: the `iss` of every token.
    ///   - isStrict: whether the emulator refuses what only Apple refuses.
    ///   - signingKeyCount: the number of published signing keys; clamped to 1 to 8.
    ///   - identityTokenSeconds: the lifetime of identity tokens, in seconds.
    ///   - maximumRequestLogCount: the number of requests kept in the log; at least 1.
    ///   - identifierKey: 32 bytes from which user identifiers are derived; nil makes them random.
    public init(
        issuer: String = "https://appleid.apple.com",
        isStrict: Bool = false,
        signingKeyCount: Int = 3,
        identityTokenSeconds: Int = 86_400,
        maximumRequestLogCount: Int = 1_000,
        identifierKey: Data? = nil
    ) {
        self.issuer = issuer
        self.isStrict = isStrict
        self.signingKeyCount = min(max(signingKeyCount, 1), 8)
        self.identityTokenSeconds = identityTokenSeconds
        self.maximumRequestLogCount = max(maximumRequestLogCount, 1)
        self.identifierKey = identifierKey
    }
}
