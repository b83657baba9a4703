import AppleIdentity
import Foundation
import Synchronization

/// Collects the ports as the servers start, and reports once when all are listening.
final class Readiness: Sendable {
    enum Server: Hashable { case apple, control, mail, tls }

    private let hosts: [Server: String]
    private let ports = Mutex<[Server: Int]>([:])
    private let certificatePath: String?
    private let onReady: @Sendable (EmulatorAddresses) async -> Void

    init(
        hosts: [Server: String],
        certificatePath: String?,
        onReady: @escaping @Sendable (EmulatorAddresses) async -> Void
    ) {
        (self.hosts, self.certificatePath, self.onReady) = (hosts, certificatePath, onReady)
    }

    /// The addresses of the emulator; nil until all servers have started.
    var addresses: EmulatorAddresses? {
        let ports = ports.withLock(\.self)
        func place(_ server: Server) -> String? {
            guard let host = hosts[server], let port = ports[server] else { return nil }
            return "\(Self.reachableName(of: host)):\(port)"
        }
        guard ports.count == hosts.count,
            let apple = place(.apple).flatMap({ URL(string: "http://" + $0) }),
            let control = place(.control).flatMap({ URL(string: "http://" + $0) })
        else { return nil }
        return EmulatorAddresses(
            apple: apple,
            control: control,
            smtp: place(.mail),
            tls: place(.tls),
            certificatePath: certificatePath
        )
    }

    func started(_ server: Server, at port: Int?) async {
        let isComplete = ports.withLock { ports in
            ports[server] = port
            return ports.count == hosts.count
        }
        if isComplete, let addresses { await onReady(addresses) }
    }

    /// An address that clients can connect to, even if the server listens on a wildcard address.
    private static func reachableName(of host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "[::1]"
        case let host where host.contains(":"): "[\(host)]"
        default: host
        }
    }
}

/// The addresses of a running emulator.
package struct EmulatorAddresses: Sendable, Hashable {
    package var apple: URL
    package var control: URL

    /// The mail relay, as host and port; nil if none runs.
    package var smtp: String?

    /// Apple's port over TLS, as host and port; nil if none runs.
    package var tls: String?

    /// The path of the CA certificate that clients of the TLS port must trust; nil without TLS.
    package var certificatePath: String?

    /// The addresses of a world, with the prefix of its paths.
    func adding(_ path: String) -> EmulatorAddresses {
        var addresses = self
        (addresses.apple, addresses.control) = (apple.adding(path), control.adding(path))
        return addresses
    }

    /// The addresses as JSON for programs; missing ones are omitted.
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

extension URL {
    /// The URL with the prefix of a world, which is empty for the unnamed one.
    func adding(_ path: String) -> URL { path.isEmpty ? self : appending(path: path) }
}
