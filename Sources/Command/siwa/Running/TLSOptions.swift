import AppleEmulatorServer
import ArgumentParser
import Foundation

/// The options with which the emulator serves Apple's host names over TLS.
struct TLSOptions: ParsableArguments {
    @Flag(help: "Also serve Apple's host names over TLS, with a local certificate authority.")
    var tls = false

    @Option(help: "The port for TLS; 0 picks a free one. (default: \(TLSOptions.usualPort))")
    var tlsPort: Int?

    @Option(
        help: "The IP address; 0.0.0.0 allows containers and your network. (default: 127.0.0.1)"
    )
    var tlsHost: String?

    @Option(
        help: """
            The folder of the certificate authority. (default: siwa/tls in $XDG_DATA_HOME, ~/.local/share or, on \
            macOS, ~/Library/Application Support)
            """
    )
    var tlsData: String?

    static let usualPort = 8443

    var host: String { tlsHost ?? Loopback.address }

    func validate() throws {
        if let tlsHost { try ListenAddress.check(tlsHost) }
    }

    /// The port of the listener; none without `--tls`.
    var wantedPorts: [WantedPort] { tls ? [WantedPort(port, "--tls-port", host: host)] : [] }

    private var port: Int { tlsPort ?? Self.usualPort }

    /// The listener, whose port is not checked; nil without `--tls`.
    func listener() throws -> TLSListener? {
        guard tls else {
            guard tlsPort == nil, tlsHost == nil, tlsData == nil else {
                throw CommandFailure.usage("a TLS option needs --tls", hint: "add --tls")
            }
            return nil
        }
        let folder = try Self.folder(tlsData)
        return TLSListener(
            host: host,
            port: port,
            authority: try Self.open(folder).authority,
            certificatePath: folder.certificatePath
        )
    }

    /// The given folder, or the default one.
    static func folder(_ path: String?) throws -> AuthorityFolder {
        if let path {
            guard !path.isEmpty else {
                throw CommandFailure.usage(
                    "--tls-data is empty",
                    hint: "give the folder's path, or omit --tls-data"
                )
            }
            return AuthorityFolder(path: path)
        }
        return try explaining { try .usual(in: ProcessInfo.processInfo.environment) }
    }

    /// Reads or creates the certificate authority, and prints a note if clients must trust a new one.
    static func open(_ folder: AuthorityFolder) throws -> AuthorityFolder.Opened {
        let roots = SystemRoots.usual(in: ProcessInfo.processInfo.environment)
        let opened = try explaining { try folder.open(roots: roots) }
        if let notice = opened.notice { Terminal().writeError("note: \(notice)") }
        return opened
    }

    private static func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as TLSFailure {
            throw CommandFailure(failure.message, hint: failure.hint)
        }
    }
}
