/// Where the emulator listens.
package struct AppleEmulatorServiceConfiguration: Sendable, Hashable {
    package var host: String
    /// Apple's port; 0 picks a free one.
    package var port: Int
    /// The address the control port is bound to; it asks nobody for a password.
    package var controlHost: String
    /// Hosts the control port answers to besides `localhost` and the address it is bound to.
    package var controlAllowedHosts: [String]
    /// The control port; 0 picks a free one.
    package var controlPort: Int
    /// The address the mail relay is bound to; it speaks no TLS and asks nobody for a password.
    package var smtpHost: String
    /// The port of the mail relay; 0 picks a free one, nil is for none.
    package var smtpPort: Int?
    /// The mail server that people's answers are handed to; without it they are only kept.
    package var onwardSMTP: MailServerAddress?

    /// The hosts the control port answers to besides loopback; an address for all is no name.
    var controlHosts: [String] {
        let isForAll = ["0.0.0.0", "::"].contains(controlHost)
        return controlAllowedHosts + (isForAll ? [] : [controlHost])
    }

    package init(
        host: String = "127.0.0.1",
        port: Int = 8081,
        controlHost: String = "127.0.0.1",
        controlPort: Int = 8082,
        controlAllowedHosts: [String] = [],
        smtpHost: String = "127.0.0.1",
        smtpPort: Int? = nil,
        onwardSMTP: MailServerAddress? = nil
    ) {
        self.host = host
        self.port = port
        self.controlHost = controlHost
        self.controlAllowedHosts = controlAllowedHosts
        self.controlPort = controlPort
        self.smtpHost = smtpHost
        self.smtpPort = smtpPort
        self.onwardSMTP = onwardSMTP
    }
}
