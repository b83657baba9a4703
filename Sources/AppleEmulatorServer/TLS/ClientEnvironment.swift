import AppleIdentity

/// What a shell, a container or a program needs to trust the emulator and to find it.
package struct ClientEnvironment: Sendable {
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
            ("SSL_CERT_FILE", bundle), ("REQUESTS_CA_BUNDLE", bundle), ("CURL_CA_BUNDLE", bundle),
            ("NODE_EXTRA_CA_CERTS", certificate),
        ]
    }

    /// A line of `/etc/hosts`.
    var hostsLine: String { address + " " + AppleHosts.names.joined(separator: " ") }

    /// The address by which this machine finds the emulator.
    var address: String { isEverywhere ? "127.0.0.1" : host }

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
            "variables": .object(named), "ca": .string(certificatePath),
            "bundle": .string(bundlePath), "names": .array(AppleHosts.names.map { .string($0) }),
            "hosts": .string(hostsLine), "add_host": .array(containerHosts.map { .string($0) }),
            "port": .integer(port),
        ]
    }
}

extension ClientEnvironment {
    private static let containerFolder = "/etc/siwa"

    /// YAML, which has JSON's strings.
    var dockerLines: [String] {
        comments + [
            "services:",
            "  app:",
            "    extra_hosts:",
        ] + containerHosts.map { "      - \(Self.text($0))" } + [
            "    environment:"
        ] + containerVariables.map { "      \($0.name): \(Self.text($0.path))" } + ["    volumes:"]
            + files.flatMap { file in
                [
                    "      - type: bind", "        source: \(Self.text(file.source))",
                    "        target: \(Self.text(file.target))", "        read_only: true",
                ]
            }
    }

    private var comments: [String] {
        let options =
            containerHosts.map { "--add-host \($0)" }
            + containerVariables.map { "--env \($0.name)=\($0.path)" }
            + files.map {
                let mount = "type=bind,source=\($0.source),target=\($0.target),readonly"
                return "--mount \(Self.quoted(mount))"
            }
        return [
            "Merge this into your compose file; \"app\" is the service that calls Apple.",
            "The first three variables replace what a program trusts, so that bundle.pem has the roots of this",
            "machine and the emulator's certificate; NODE_EXTRA_CA_CERTS adds the certificate alone.",
            "Containers reach this machine by host-gateway, and go to port \(Self.usualPort). Where Docker runs on Linux itself,",
            "the emulator has to listen there; anybody in your network can reach it then:",
            "  sudo siwa emulator --tls --tls-port \(Self.usualPort) --tls-host 0.0.0.0 --tls-data \(Self.quoted(folderPath))",
            "Without compose:",
            "  docker run \(options.joined(separator: " \\\n    ")) IMAGE",
        ]
        .map(Self.comment)
    }

    private var containerVariables: [(name: String, path: String)] {
        variables(
            certificate: Self.containerFolder + "/ca.pem",
            bundle: Self.containerFolder + "/bundle.pem"
        )
    }

    private var files: [(source: String, target: String)] {
        [
            (certificatePath, Self.containerFolder + "/ca.pem"),
            (bundlePath, Self.containerFolder + "/bundle.pem"),
        ]
    }

    private static func text(_ text: String) -> String { JSONValue.string(text).text }

    /// Exports first and comments last, so that even an unquoted `eval` reads the exports.
    var shellLines: [String] {
        let exports = variables(certificate: certificatePath, bundle: bundlePath).map {
            "export \($0.name)=\(Self.quoted($0.path));"
        }
        return exports + (trust + names + ports + java).map(Self.comment)
    }

    private var trust: [String] {
        [
            "",
            "The first three variables replace what a program trusts, so that their file has the",
            "system's certificates and the emulator's. The last one adds the emulator's alone.",
            "The emulator's can vouch for the names below only.",
        ]
    }

    private var names: [String] {
        [
            "", "Names, for this machine; take the line out again to reach the real Apple:",
            "  echo '\(hostsLine)' | sudo tee -a /etc/hosts",
        ]
    }

    private var ports: [String] {
        guard port != Self.usualPort else {
            return ["", "Port: \(port), where clients go by themselves."]
        }
        return [
            "",
            "Port: clients go to \(Self.usualPort), and the emulator listens on \(port). One of these, on Linux:",
            "  sudo siwa emulator --tls --tls-port \(Self.usualPort) --tls-data \(Self.quoted(folderPath))",
            "  sudo setcap cap_net_bind_service=+ep \"$(command -v siwa)\"    # then --tls-port \(Self.usualPort) as yourself",
            "  sudo iptables -t nat -A OUTPUT -d \(address) -p tcp --dport \(Self.usualPort) -j REDIRECT --to-ports \(port)",
        ]
    }

    private var java: [String] {
        let store = Self.quoted(folderPath + "java.p12")
        return [
            "", "Java trusts a store of its own; a copy of it with the emulator's certificate:",
            "  keytool -importkeystore -srckeystore \"$JAVA_HOME/lib/security/cacerts\" -srcstorepass changeit \\",
            "    -destkeystore \(store) -deststoretype PKCS12 -deststorepass changeit",
            "  keytool -importcert -noprompt -alias siwa -file \(Self.quoted(certificatePath)) \\",
            "    -keystore \(store) -storepass changeit",
            "  java -Djavax.net.ssl.trustStore=\(store) -Djavax.net.ssl.trustStorePassword=changeit",
        ]
    }

    /// A comment, whatever the text: a line break in it, as in a folder's name, doesn't end it.
    static func comment(_ text: String) -> String {
        text.isEmpty ? "#" : "# " + text.replacing("\n", with: "\n# ")
    }

    /// A word that a POSIX shell takes as it is.
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
