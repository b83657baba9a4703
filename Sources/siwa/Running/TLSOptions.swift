import AppleEmulatorServer
import ArgumentParser
import Foundation

/// The options by which an emulated Apple is served over TLS, under Apple's own names.
struct TLSOptions: ParsableArguments {
    @Flag(help: "Serve Apple's host names over TLS too, with a local certificate authority.")
    var tls = false

    @Option(help: "The port for TLS; 0 picks a free one. (default: \(TLSOptions.usualPort))")
    var tlsPort: Int?

    @Option(
        help: "The address to listen on for TLS; 0.0.0.0 lets containers in. (default: 127.0.0.1)"
    )
    var tlsHost: String?

    @Option(help: "The folder of the certificate authority. (default: one in your data folder)")
    var tlsData: String?

    static let usualPort = 8443

    var host: String { tlsHost ?? Loopback.address }

    func validate() throws {
        if let tlsHost { try ListenAddress.check(tlsHost) }
    }

    /// Where to listen; nil when TLS is not wanted.
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
            port: try PortNumber.resolve(
                tlsPort ?? Self.usualPort,
                option: "--tls-port",
                host: host
            ),
            authority: try Self.open(folder).authority,
            certificatePath: folder.certificatePath
        )
    }

    /// The folder that is named, or the usual one.
    static func folder(_ path: String?) throws -> AuthorityFolder {
        if let path {
            guard !path.isEmpty else {
                throw CommandFailure.usage(
                    "--tls-data is empty",
                    hint: "give the folder's path, or leave it out"
                )
            }
            return AuthorityFolder(path: path)
        }
        return try explaining { try .usual(in: ProcessInfo.processInfo.environment) }
    }

    /// Reads or makes the authority, and says so when clients have to trust another one.
    static func open(_ folder: AuthorityFolder) throws -> AuthorityFolder.Opened {
        let roots = SystemRoots.usual(in: ProcessInfo.processInfo.environment)
        let opened = try explaining { try folder.open(roots: roots) }
        if let notice = opened.notice { Console().writeError("note: \(notice)") }
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
