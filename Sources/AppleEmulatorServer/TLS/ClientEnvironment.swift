import AppleIdentity

/// What a shell, a container or a program needs to trust the emulator and to find it.
package struct ClientEnvironment: Sendable {
    /// How it is told.
    package enum Format: String, Sendable, CaseIterable {
        /// Lines for `eval` in a POSIX shell, with the rest as comments.
        case shell
        /// A snippet for Docker Compose, with the options of `docker run` as a comment.
        case docker
        /// One JSON object, for programs.
        case json
    }

    /// The port of addresses that name none.
    static let usualPort = 443

    let certificatePath: String
    let bundlePath: String
    let folderPath: String
    let host: String
    let port: Int

    package init(folder: AuthorityFolder, host: String, port: Int) {
        certificatePath = folder.certificatePath
        bundlePath = folder.bundlePath
        folderPath = folder.path
        self.host = host
        self.port = port
    }

    /// The lines to print.
    package func text(_ format: Format) -> String {
        switch format {
        case .shell: shellLines.joined(separator: "\n")
        case .docker: dockerLines.joined(separator: "\n")
        case .json: object.text
        }
    }

    /// Variables and files: a bundle where the file replaces what a program trusts, the
    /// certificate alone where it is added.
    func variables(certificate: String, bundle: String) -> [(name: String, path: String)] {
        [
            ("SSL_CERT_FILE", bundle),
            ("REQUESTS_CA_BUNDLE", bundle),
            ("CURL_CA_BUNDLE", bundle),
            ("NODE_EXTRA_CA_CERTS", certificate),
        ]
    }

    /// A line of `/etc/hosts`.
    var hostsLine: String {
        address + " " + AppleHosts.names.joined(separator: " ")
    }

    /// The address by which this machine finds the emulator.
    var address: String {
        isEverywhere ? "127.0.0.1" : host
    }

    /// The addresses by which containers find the emulator, as `--add-host` takes them.
    var containerHosts: [String] {
        let isOfThisMachine = isEverywhere || Loopback.contains(host)
        return AppleHosts.names.map { "\($0):\(isOfThisMachine ? "host-gateway" : host)" }
    }

    private var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

    private var object: JSONObject {
        var named: JSONObject = [:]
        for variable in variables(certificate: certificatePath, bundle: bundlePath) {
            named[variable.name] = .string(variable.path)
        }
        return [
            "variables": .object(named),
            "ca": .string(certificatePath),
            "bundle": .string(bundlePath),
            "names": .array(AppleHosts.names.map { .string($0) }),
            "hosts": .string(hostsLine),
            "add_host": .array(containerHosts.map { .string($0) }),
            "port": .integer(port),
        ]
    }
}
