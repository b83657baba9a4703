import Foundation

/// How an emulated Apple behaves, apart from who is registered with it.
public struct EmulatorConfiguration: Hashable, Sendable {
    /// The `iss` of every token, independent of the address the emulator is served from.
    public var issuer: String
    /// Whether what only the emulator allows is refused, such as redirects to this machine.
    public var isStrict: Bool
    /// How many keys Apple publishes at a time.
    public var signingKeyCount: Int
    /// How long an identity token is good for, in seconds; Apple's was 600 before 2021.
    public var identityTokenSeconds: Int
    /// How many requests are remembered.
    public var maximumRequestLogCount: Int
    /// Decides people's identifiers and relay addresses, so that they are the same at each start.
    ///
    /// With nil, they are drawn by chance.
    public var identifierKey: Data?
    /// Decides what goes wrong by chance: the same at each start.
    ///
    /// With nil, nothing does.
    public var chaosSeed: UInt64?
    /// What marks the codes and tokens of one world among several; nil for an emulator by itself.
    var worldTag: WorldTag?

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - issuer: the `iss` of every token.
    ///   - isStrict: whether what only the emulator allows is refused.
    ///   - signingKeyCount: how many keys are published, 1 to 8.
    ///   - identityTokenSeconds: how long an identity token is good for.
    ///   - maximumRequestLogCount: how many requests are remembered.
    ///   - identifierKey: 32 bytes that decide people's identifiers; nil leaves them to chance.
    ///   - chaosSeed: decides what goes wrong by chance; with nil, nothing does.
    public init(
        issuer: String = "https://appleid.apple.com",
        isStrict: Bool = false,
        signingKeyCount: Int = 3,
        identityTokenSeconds: Int = 86_400,
        maximumRequestLogCount: Int = 1_000,
        identifierKey: Data? = nil,
        chaosSeed: UInt64? = nil
    ) {
        self.issuer = issuer
        self.isStrict = isStrict
        self.signingKeyCount = min(max(signingKeyCount, 1), 8)
        self.identityTokenSeconds = identityTokenSeconds
        self.maximumRequestLogCount = max(maximumRequestLogCount, 1)
        self.identifierKey = identifierKey
        self.chaosSeed = chaosSeed
    }
}
