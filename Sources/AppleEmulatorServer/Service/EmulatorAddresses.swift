import Foundation

/// Where a running emulator listens.
package struct EmulatorAddresses: Sendable, Hashable {
    /// Apple's port.
    package let apple: URL
    /// The control port.
    package let control: URL

    /// The mail relay, as host and port; nil where none runs.
    package let smtp: String?

    /// Apple's port over TLS, as host and port; nil where none runs.
    package let tls: String?

    package init(apple: URL, control: URL, smtp: String? = nil, tls: String? = nil) {
        self.apple = apple
        self.control = control
        self.smtp = smtp
        self.tls = tls
    }
}
