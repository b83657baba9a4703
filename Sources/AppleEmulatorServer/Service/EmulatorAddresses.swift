import AppleIdentity
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

    /// The certificate that clients of the TLS port have to trust, as a path; nil where there is none.
    package let certificatePath: String?

    package init(
        apple: URL,
        control: URL,
        smtp: String? = nil,
        tls: String? = nil,
        certificatePath: String? = nil
    ) {
        self.apple = apple
        self.control = control
        self.smtp = smtp
        self.tls = tls
        self.certificatePath = certificatePath
    }

    /// The members by which programs know them; what is not there is left out.
    package var object: JSONObject {
        var object: JSONObject = [
            "apple": .string(apple.absoluteString), "control": .string(control.absoluteString),
        ]
        object["smtp"] = smtp.map { .string($0) }
        object["tls"] = tls.map { .string($0) }
        object["ca"] = certificatePath.map { .string($0) }
        return object
    }
}
