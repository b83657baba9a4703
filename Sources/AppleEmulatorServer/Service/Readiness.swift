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
