/// Where the emulator listens.
public struct AppleEmulatorServiceConfiguration: Sendable, Hashable {
    /// The address Apple's port is bound to; the control port is always on loopback.
    public var host: String
    /// Apple's port; 0 picks a free one.
    public var port: Int
    /// The control port; 0 picks a free one.
    public var controlPort: Int

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - host: the address Apple's port is bound to.
    ///   - port: Apple's port; 0 picks a free one.
    ///   - controlPort: the control port; 0 picks a free one.
    public init(host: String = "127.0.0.1", port: Int = 8081, controlPort: Int = 8082) {
        self.host = host
        self.port = port
        self.controlPort = controlPort
    }
}
