import AppleIdentity

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
                    "      - type: bind",
                    "        source: \(Self.text(file.source))",
                    "        target: \(Self.text(file.target))",
                    "        read_only: true",
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

    private static func text(_ text: String) -> String {
        JSONValue.string(text).text
    }
}
