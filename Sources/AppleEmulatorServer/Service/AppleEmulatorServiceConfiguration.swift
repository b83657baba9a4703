/// Where the emulator listens.
public struct AppleEmulatorServiceConfiguration: Sendable, Hashable {
    /// The address Apple's port is bound to; the control port is always on loopback.
    public var host: String
    /// Apple's port; 0 picks a free one.
    public var port: Int
    /// The control port; 0 picks a free one.
    public var controlPort: Int
    /// The port of the mail relay, on loopback; 0 picks a free one, nil is for none.
    public var smtpPort: Int?
    /// The mail server that people's answers are handed to; without it they are only kept.
    public var onwardSMTP: MailServerAddress?

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - host: the address Apple's port is bound to.
    ///   - port: Apple's port; 0 picks a free one.
    ///   - controlPort: the control port; 0 picks a free one.
    ///   - smtpPort: the port of the mail relay; 0 picks a free one, nil is for none.
    ///   - onwardSMTP: the mail server that people's answers are handed to.
    public init(
        host: String = "127.0.0.1",
        port: Int = 8081,
        controlPort: Int = 8082,
        smtpPort: Int? = nil,
        onwardSMTP: MailServerAddress? = nil
    ) {
        self.host = host
        self.port = port
        self.controlPort = controlPort
        self.smtpPort = smtpPort
        self.onwardSMTP = onwardSMTP
    }
}
