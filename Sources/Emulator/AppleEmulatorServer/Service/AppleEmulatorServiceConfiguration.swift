/// The addresses that the emulator listens on, and its mail server.
package struct AppleEmulatorServiceConfiguration: Sendable, Hashable {
    package var host: String
    /// Apple's port; 0 picks a free one.
    package var port: Int
    /// The address the control port listens on; the port requires no password.
    package var controlHost: String
    /// Hosts that the control port accepts in addition to loopback and `controlHost`.
    package var controlAllowedHosts: [String]
    /// The control port; 0 picks a free one.
    package var controlPort: Int
    /// The address the mail relay listens on; it requires neither TLS nor a password.
    package var smtpHost: String
    /// The port of the mail relay; 0 picks a free one, nil disables the relay.
    package var smtpPort: Int?
    /// The mail server that replies are sent to; without one they are only stored.
    package var onwardSMTP: MailServerAddress?

    /// The hosts that the control port accepts in addition to loopback; not a wildcard address.
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
        (self.host, self.port, self.controlHost) = (host, port, controlHost)
        (self.controlAllowedHosts, self.controlPort, self.smtpHost) = (
            controlAllowedHosts, controlPort, smtpHost
        )
        (self.smtpPort, self.onwardSMTP) = (smtpPort, onwardSMTP)
    }
}
