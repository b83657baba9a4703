import AppleEmulator
import AppleEmulatorServer
import ArgumentParser
import Foundation
import Logging

/// `siwa emulator`: Apple alone, for clients in any language.
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator",
        abstract: "Start the Apple emulator: Apple's endpoints on one port, control on another.",
        subcommands: [EmulatorEnvironmentCommand.self]
    )

    @Option(help: "A seed file in YAML or JSON with teams, keys, apps, services and people.")
    var config: String?

    @Option(
        help: """
            A folder that keeps the state between starts. Once it has a state, only POST /reset uses \
            --config.
            """
    )
    var data: String?

    @Option(help: "The address Apple's port listens on; 0.0.0.0 lets containers in.")
    var host = "127.0.0.1"

    @Option(help: "Apple's port; 0 picks a free one.") var port = 8081

    @Option(help: "The address the control port listens on; it needs no password.")
    var controlHost = "127.0.0.1"

    @Option(help: "Another host name besides localhost that the control port accepts; repeatable.")
    var controlAllowedHost: [String] = []

    @Option(help: "The control port; 0 picks a free one.") var controlPort = 8082

    @Flag(help: "Refuse redirect and notification URLs on this machine, as Apple does.")
    var strict = false

    @Option(help: "Inject random faults; the same seed repeats them.") var chaos: UInt64?

    @Option(help: "The address the mail relay listens on; it needs no password, and has no TLS.")
    var smtpHost = "127.0.0.1"

    @Option(help: "The port of the mail relay; 0 picks a free one.") var smtpPort = 8025

    @Option(help: "The mail server to send people's replies to, as host:port.")
    var onwardSmtp: String?

    @OptionGroup(title: "Apple's own names")
    var secure: TLSOptions

    @Flag(help: "Print the addresses as one JSON line when ready.") var json = false

    func run() async throws {
        warnOfOpenPorts()
        var configuration = EmulatorConfiguration()
        configuration.isStrict = strict
        configuration.chaosSeed = chaos
        let seed = try SeedFile.seed(at: config)
        let listener = try secure.listener()
        let kept = try await kept(seed: seed, configuration: configuration)
        let people = await kept?.people(of: seed) ?? seed.people.map(\.email)
        let emulator =
            if let kept {
                kept.emulator
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
                port: try PortNumber.resolve(port, host: host),
                controlHost: controlHost,
                controlPort: try PortNumber.resolve(
                    controlPort,
                    option: "--control-port",
                    host: controlHost
                ),
                controlAllowedHosts: controlAllowedHost,
                smtpHost: smtpHost,
                smtpPort: try PortNumber.resolve(smtpPort, option: "--smtp-port", host: smtpHost),
                onwardSMTP: try onwardServer()
            ),
            tls: listener,
            stateFolder: kept?.folder,
            logger: ProgramLogger.make("siwa.emulator"),
            onReady: { [json] addresses in
                Announcement(addresses, people: people).print(asJSON: json)
            }
        )
        try await Program.run(
            [service],
            ports: [port, controlPort, smtpPort, listener?.port].compactMap(\.self)
        )
    }

    func validate() throws {
        for address in [host, controlHost, smtpHost] + controlAllowedHost {
            try ListenAddress.check(address)
        }
    }

    private func warnOfOpenPorts() {
        if ListenAddress.isOpen(host) {
            Console().writeError(
                "warning: Apple's port listens on \(host): whoever reaches it can sign in with"
                    + " the passwords of the seed"
            )
        }
        if ListenAddress.isOpen(controlHost) {
            Console().writeError(
                "warning: the control port listens on \(controlHost) and asks for no password:"
                    + " whoever reaches it can read every key and change everything"
            )
            if controlAllowedHost.isEmpty, ListenAddress.isForAll(controlHost) {
                Console().writeError(
                    "note: under another name than localhost the control port answers 403;"
                        + " --control-allowed-host NAME adds one"
                )
            }
        }
        if ListenAddress.isOpen(smtpHost) {
            Console().writeError(
                "warning: the mail relay listens on \(smtpHost) without TLS and asks for no password:"
                    + " whoever reaches it can send mail to the emulator's people"
            )
        }
    }

    private var keySource: SigningKeySource {
        guard let folder = SigningKeyFolder.usual(in: ProcessInfo.processInfo.environment) else {
            Self.tellOfNewKeys(because: "neither HOME nor XDG_CACHE_HOME is set")
            return .fresh
        }
        return folder.source { Self.tellOfNewKeys(because: "\(folder.path) can't be written to") }
    }

    private static func tellOfNewKeys(because reason: String) {
        Console().writeError(
            "note: \(reason), so that each start makes new signing keys;"
                + " a container keeps them in a volume at its home"
        )
    }

    private func kept(
        seed: Seed,
        configuration: EmulatorConfiguration
    ) async throws -> KeptEmulator? {
        guard let data else { return nil }
        let kept = try await KeptEmulator(path: data, seed: seed, configuration: configuration)
        if kept.isRestored {
            let seedName = config ?? "the demo's seed"
            Console().writeError(
                "note: continuing from \(kept.folder.filePath); \(seedName) is used by POST /reset"
            )
        }
        return kept
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

/// `siwa emulator env`: what a shell or a container needs to trust the emulator and to find it.
struct EmulatorEnvironmentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print what clients need for --tls; in a shell: eval \"$(siwa emulator env)\".",
        discussion: "Creates the certificate authority if there is none."
    )

    @Option(help: "The output: shell, docker or json.") var format = ClientEnvironment.Format.shell

    // The same group as the emulator's own: it reads these options wherever they stand.
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
        Console().write(environment.text(format))
    }
}

extension ClientEnvironment.Format: ExpressibleByArgument {}
