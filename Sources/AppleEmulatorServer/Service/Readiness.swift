import AppleIdentity
import Foundation
import Synchronization

/// Collects the ports as the servers start, and tells once when all are there.
final class Readiness: Sendable {
    private struct State {
        var applePort: Int?
        var controlPort: Int?
        var smtpPort: Int?
        var tlsPort: Int?

        func isComplete(withMail: Bool, withTLS: Bool) -> Bool {
            applePort != nil && controlPort != nil && (smtpPort != nil || !withMail)
                && (tlsPort != nil || !withTLS)
        }
    }

    private let state = Mutex(State())
    private let host: String
    private let controlHost: String
    private let smtpHost: String?
    private let tlsHost: String?
    private let certificatePath: String?
    private let onReady: @Sendable (EmulatorAddresses) async -> Void

    init(
        host: String,
        controlHost: String,
        smtpHost: String?,
        tlsHost: String? = nil,
        certificatePath: String? = nil,
        onReady: @escaping @Sendable (EmulatorAddresses) async -> Void
    ) {
        self.host = host
        self.controlHost = controlHost
        self.smtpHost = smtpHost
        self.tlsHost = tlsHost
        self.certificatePath = certificatePath
        self.onReady = onReady
    }

    /// Where the emulator listens; nil until all servers have started.
    var addresses: EmulatorAddresses? {
        let ports = state.withLock(\.self)
        guard ports.isComplete(withMail: smtpHost != nil, withTLS: tlsHost != nil),
            let applePort = ports.applePort, let controlPort = ports.controlPort,
            let apple = Self.url(host: host, port: applePort),
            let control = Self.url(host: controlHost, port: controlPort)
        else { return nil }
        return EmulatorAddresses(
            apple: apple,
            control: control,
            smtp: ports.smtpPort.map { "\(Self.reachableName(of: smtpHost ?? host)):\($0)" },
            tls: ports.tlsPort.map { "\(Self.reachableName(of: tlsHost ?? host)):\($0)" },
            certificatePath: certificatePath
        )
    }

    func appleStarted(port: Int?) async {
        await tell(after: { $0.applePort = port })
    }

    func controlStarted(port: Int?) async {
        await tell(after: { $0.controlPort = port })
    }

    func mailStarted(port: Int?) async {
        await tell(after: { $0.smtpPort = port })
    }

    func tlsStarted(port: Int?) async {
        await tell(after: { $0.tlsPort = port })
    }

    private func tell(after change: @Sendable (inout State) -> Void) async {
        let isComplete = state.withLock { state in
            change(&state)
            return state.isComplete(withMail: smtpHost != nil, withTLS: tlsHost != nil)
        }
        if isComplete, let addresses { await onReady(addresses) }
    }

    private static func url(host: String, port: Int) -> URL? {
        var components = URLComponents()
        components.scheme = "http"
        components.host = reachableName(of: host)
        components.port = port
        return components.url
    }

    /// An address that clients can connect to, where the one bound to stands for all.
    private static func reachableName(of host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "[::1]"
        case let host where host.contains(":"): "[\(host)]"
        default: host
        }
    }
}

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
