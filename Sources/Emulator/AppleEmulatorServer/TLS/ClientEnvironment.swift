import AppleIdentity

/// The settings with which a shell, a container or a program trusts and finds the emulator.
package struct ClientEnvironment: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        /// Lines for `eval` in a POSIX shell, with further steps as comments.
        case shell
        /// A snippet for Docker Compose, with the options of `docker run` as a comment.
        case docker
        /// One JSON object, for programs.
        case json
    }

    /// The default port of `https` URLs.
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

    /// The variables and their files: the bundle if the file replaces a program's trusted
    /// certificates, the certificate if the file is added to them.
    func variables(certificate: String, bundle: String) -> [(name: String, path: String)] {
        [
            ("SSL_CERT_FILE", bundle), ("REQUESTS_CA_BUNDLE", bundle), ("CURL_CA_BUNDLE", bundle),
            ("NODE_EXTRA_CA_CERTS", certificate),
        ]
    }

    /// A line of `/etc/hosts`.
    var hostsLine: String { address + " " + AppleHosts.names.joined(separator: " ") }

    /// The IP address at which this machine reaches the emulator.
    var address: String { isEverywhere ? "127.0.0.1" : host }

    /// The host entries with which containers reach the emulator, as for `--add-host`.
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

    /// The lines of a Compose file; JSON's strings are valid YAML.
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
            "The first three variables replace a program's trusted certificates. So bundle.pem contains the roots of",
            "this machine and the emulator's certificate; NODE_EXTRA_CA_CERTS adds only the emulator's certificate.",
            "Containers reach this machine through host-gateway on port \(Self.usualPort). If Docker runs directly on Linux,",
            "the emulator must listen on all addresses; anyone on your network can then reach it:",
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

    /// Exports first and comments last, because an unquoted `eval` joins the lines.
    var shellLines: [String] {
        let exports = variables(certificate: certificatePath, bundle: bundlePath).map {
            "export \($0.name)=\(Self.quoted($0.path));"
        }
        return exports + (trust + names + ports + java).map(Self.comment)
    }

    private var trust: [String] {
        [
            "",
            "The first three variables replace a program's trusted certificates. So their file contains",
            "the system's certificates and the emulator's. The last variable adds only the emulator's.",
            "The emulator's certificate authority is limited to the host names below.",
        ]
    }

    private var names: [String] {
        [
            "", "Host names for this machine; remove the line to reach the real Apple again:",
            "  echo '\(hostsLine)' | sudo tee -a /etc/hosts",
        ]
    }

    private var ports: [String] {
        guard port != Self.usualPort else {
            return ["", "Port: \(port), the default port of clients."]
        }
        return [
            "",
            "Port: clients connect to \(Self.usualPort), but the emulator listens on \(port). On Linux, use one of these:",
            "  sudo siwa emulator --tls --tls-port \(Self.usualPort) --tls-data \(Self.quoted(folderPath))",
            "  sudo setcap cap_net_bind_service=+ep \"$(command -v siwa)\"    # then --tls-port \(Self.usualPort) as yourself",
            "  sudo iptables -t nat -A OUTPUT -d \(address) -p tcp --dport \(Self.usualPort) -j REDIRECT --to-ports \(port)",
        ]
    }

    private var java: [String] {
        let store = Self.quoted(folderPath + "java.p12")
        return [
            "", "Java has its own trust store. To copy it and add the emulator's certificate:",
            "  keytool -importkeystore -srckeystore \"$JAVA_HOME/lib/security/cacerts\" -srcstorepass changeit \\",
            "    -destkeystore \(store) -deststoretype PKCS12 -deststorepass changeit",
            "  keytool -importcert -noprompt -alias siwa -file \(Self.quoted(certificatePath)) \\",
            "    -keystore \(store) -storepass changeit",
            "  java -Djavax.net.ssl.trustStore=\(store) -Djavax.net.ssl.trustStorePassword=changeit",
        ]
    }

    /// Returns a comment; a line break in the text, as in a folder's name, doesn't end it.
    static func comment(_ text: String) -> String {
        text.isEmpty ? "#" : "# " + text.replacing("\n", with: "\n# ")
    }

    /// Quotes a word for a POSIX shell.
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
