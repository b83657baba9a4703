import AppleEmulator
import AppleEmulatorServer
import ArgumentParser
import Crypto
import Foundation
import Logging

/// `siwa emulator`: only the emulator, for clients in any language.
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator",
        abstract: "Start the Apple emulator: Apple's endpoints, a control port and a mail relay.",
        subcommands: [EmulatorEnvironmentCommand.self]
    )

    @Option(help: "The seed with teams, apps and people, in YAML or JSON. (default: the demo's)")
    var config: String?

    @Option(help: "Check a seed, print what it has, and end.") var check: String?

    @Option(
        help: """
            Any text. With the same text, people have the same user IDs and relay addresses at each start. \
            (default: random)
            """
    )
    var identifierKey: String?

    @Option(
        help: """
            The folder where the state is saved. If it already contains a state, only POST /reset uses --config.
            """
    )
    var data: String?

    @Option(help: "The IP address of Apple's port; 0.0.0.0 allows containers and your network.")
    var host = "127.0.0.1"

    @Option(help: "The port of the emulated Apple; 0 picks a free one.") var port = 8081

    @Option(help: "The IP address of the control port, which needs no password.")
    var controlHost = "127.0.0.1"

    @Option(help: "Another Host name that the control port accepts; repeatable.")
    var controlAllowedHost: [String] = []

    @Option(help: "The control port, for tests and the console; 0 picks a free one.")
    var controlPort = 8082

    @Flag(
        help: """
            Refuse, as Apple does, redirect and notification URLs on this machine and in containers. Also refuse \
            switches in single requests.
            """
    )
    var strict = false

    @Option(help: "The IP address of the mail relay, which needs no password.")
    var smtpHost = "127.0.0.1"

    @Option(help: "The port of the mail relay; 0 picks a free one.") var smtpPort = 8025

    @Option(help: "The mail server to which people's replies are forwarded, as host:port.")
    var onwardSmtp: String?

    @OptionGroup(title: "Apple's host names over TLS")
    var secure: TLSOptions

    @Flag(help: "Print the URLs and ports as one JSON line when ready.") var json = false

    func run() async throws {
        if let check {
            let summary = try await SeedFile.summary(ofSeedAt: check, strict: strict)
            return Terminal().write(summary)
        }
        warnOfOpenPorts()
        var configuration = EmulatorConfiguration()
        configuration.isStrict = strict
        configuration.identifierKey = identifierKey.map { Data(SHA256.hash(data: Data($0.utf8))) }
        let seed = try SeedFile.seed(at: config)
        var listener = try secure.listener()
        let ports = try PortNumber.resolve(ownPorts + secure.wantedPorts)
        listener?.port = ports[ownPorts.count]
        let restored = try await restored(seed: seed, configuration: configuration)
        let people = await restored?.people(of: seed) ?? seed.people.map(\.email)
        let emulator =
            if let restored {
                restored.emulator
            } else {
                try await AppleEmulator(
                    seed: seed,
                    configuration: configuration,
                    keySource: keySource
                )
            }
        let service = AppleEmulatorService(
            emulator: emulator,
            configuration: .init(
                host: host,
                port: ports[0],
                controlHost: controlHost,
                controlPort: ports[1],
                controlAllowedHosts: controlAllowedHost,
                smtpHost: smtpHost,
                smtpPort: ports[2],
                onwardSMTP: try onwardServer()
            ),
            tls: listener,
            stateFolder: restored?.folder,
            logger: ProgramLogger.make("siwa.emulator"),
            onReady: { [json] addresses in
                Announcement(addresses, people: people).print(asJSON: json)
            }
        )
        try await Program.run([service], ports: ports)
    }

    func validate() throws {
        for address in [host, controlHost, smtpHost] + controlAllowedHost {
            try ListenAddress.check(address)
        }
    }

    private var ownPorts: [WantedPort] {
        [
            WantedPort(port, "--port", host: host),
            WantedPort(controlPort, "--control-port", host: controlHost),
            WantedPort(smtpPort, "--smtp-port", host: smtpHost),
        ]
    }

    private func warnOfOpenPorts() {
        if ListenAddress.isOpen(host) {
            Terminal().writeError(
                "warning: Apple's port listens on \(host): everyone who reaches it can sign in with"
                    + " the passwords of the seed"
            )
        }
        if ListenAddress.isOpen(controlHost) {
            Terminal().writeError(
                "warning: the control port listens on \(controlHost) and needs no password:"
                    + " everyone who reaches it can read every key and change everything"
            )
            if controlAllowedHost.isEmpty, ListenAddress.isForAll(controlHost) {
                Terminal().writeError(
                    "note: the control port responds with 403 to host names other than localhost;"
                        + " add one with --control-allowed-host NAME"
                )
            }
        }
        if ListenAddress.isOpen(smtpHost) {
            Terminal().writeError(
                "warning: the mail relay listens on \(smtpHost) and needs no password:"
                    + " everyone who reaches it can send mail to the emulator's people"
            )
        }
    }

    private var keySource: SigningKeySource {
        guard let folder = SigningKeyFolder.usual(in: ProcessInfo.processInfo.environment) else {
            Self.noteNewKeys(because: "neither HOME nor XDG_CACHE_HOME is set")
            return .fresh
        }
        return folder.source { Self.noteNewKeys(because: "\(folder.path) is not writable") }
    }

    private static func noteNewKeys(because reason: String) {
        Terminal().writeError(
            "note: \(reason), so each start generates new signing keys;"
                + " in a container, mount a volume at the home directory to keep them"
        )
    }

    private func restored(
        seed: Seed,
        configuration: EmulatorConfiguration
    ) async throws -> KeptEmulator? {
        guard let data else { return nil }
        let restored = try await KeptEmulator(path: data, seed: seed, configuration: configuration)
        if restored.isRestored {
            let seedName = config ?? "the demo's seed"
            Terminal().writeError(
                "note: continuing from \(restored.folder.filePath); only POST /reset uses \(seedName)"
            )
        }
        return restored
    }

    private func onwardServer() throws -> MailServerAddress? {
        guard let onwardSmtp else { return nil }
        guard let server = MailServerAddress(onwardSmtp) else {
            throw CommandFailure.usage(
                "\(onwardSmtp) is not a mail server",
                hint: "give host and port, such as 127.0.0.1:1025"
            )
        }
        return server
    }
}

/// `siwa emulator env`: the environment with which a shell or a container trusts and finds the emulator.
struct EmulatorEnvironmentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the environment variables with which clients trust siwa emulator --tls.",
        discussion: """
            In a shell: eval "$(siwa emulator env)". Give it the emulator's --tls-… options; --tls itself changes \
            nothing here. Creates the certificate authority if it does not exist.
            """
    )

    @Option(help: "The output format.") var format = ClientEnvironment.Format.shell

    // The same group as the emulator's, which reads these options before and after `env`.
    @OptionGroup(title: "The emulator's options")
    var secure: TLSOptions

    func run() throws {
        let port = secure.tlsPort ?? TLSOptions.usualPort
        guard (1...65_535).contains(port) else {
            throw CommandFailure.usage(
                "\(port) is not a port",
                hint: "give the port of the emulator, from 1 to 65535"
            )
        }
        let folder = try TLSOptions.folder(secure.tlsData)
        _ = try TLSOptions.open(folder)
        let environment = ClientEnvironment(folder: folder, host: secure.host, port: port)
        Terminal().write(environment.text(format))
    }
}

extension ClientEnvironment.Format: ExpressibleByArgument {}
