import AppleEmulator
import AppleEmulatorServer
import ArgumentParser
import Foundation
import Logging

/// `siwa emulator`: Apple alone, for clients in any language.
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator",
        abstract: "Start an Apple: its own paths on one port, a control port beside it.",
        subcommands: [EmulatorEnvironmentCommand.self]
    )

    @Option(help: "A seed file in YAML or JSON: teams, keys, apps, services, people.")
    var config: String?

    @Option(
        help: """
            A folder that keeps the state from one start to the next. What it holds goes before \
            --config, which then counts for POST /reset alone.
            """
    )
    var data: String?

    @Option(help: "Apple's port; 0 picks a free one.")
    var port = 8081

    @Option(help: "The control port; 0 picks a free one.")
    var controlPort = 8082

    @Flag(help: "Refuse redirect and notification addresses on loopback names, as Apple does.")
    var strict = false

    @Option(help: "A number that decides what goes wrong by chance, the same at each start.")
    var chaos: UInt64?

    @Option(help: "The port of the mail relay; 0 picks a free one.")
    var smtpPort = 8025

    @Option(help: "The mail server that people's answers are handed to, as host:port.")
    var onwardSmtp: String?

    @OptionGroup(title: "Apple's own names")
    var secure: TLSOptions

    @Flag(help: "Print the addresses as one JSON line when ready.")
    var json = false

    func run() async throws {
        var configuration = EmulatorConfiguration()
        configuration.isStrict = strict
        configuration.chaosSeed = chaos
        let seed = try seed()
        let listener = try secure.listener()
        let certificatePath = try secure.certificatePath
        let kept = try await kept(seed: seed, configuration: configuration)
        let people = await kept?.people(of: seed) ?? seed.people.map(\.email)
        let emulator =
            if let kept {
                kept.emulator
            } else {
                try await AppleEmulator(seed: seed, configuration: configuration)
            }
        let service = AppleEmulatorService(
            emulator: emulator,
            configuration: .init(
                port: try PortNumber.resolve(port),
                controlPort: try PortNumber.resolve(controlPort),
                smtpPort: try PortNumber.resolve(smtpPort),
                onwardSMTP: try onwardServer()
            ),
            tls: listener,
            stateFolder: kept?.folder,
            logger: ProgramLogger.make("siwa.emulator"),
            onReady: { [json] addresses in
                Announcement(
                    apple: addresses.apple.absoluteString,
                    control: addresses.control.absoluteString,
                    smtp: addresses.smtp,
                    tls: addresses.tls,
                    certificatePath: certificatePath,
                    people: people
                )
                .print(asJSON: json)
            }
        )
        try await Program.run(
            [service],
            ports: [port, controlPort, smtpPort, listener?.port].compactMap(\.self)
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
                "note: going on from \(kept.folder.filePath); \(seedName) counts after POST /reset"
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

    private func seed() throws -> Seed {
        guard let config else {
            return Seed.demo(notificationURL: nil)
        }
        guard let text = try? String(contentsOfFile: config, encoding: .utf8) else {
            throw CommandFailure(
                "can't read \(config)",
                hint: "give a seed file in YAML or JSON with --config"
            )
        }
        do {
            return try Seed(yaml: text)
        } catch {
            throw CommandFailure("\(config): \(error)", hint: "fix the seed file and start again")
        }
    }
}
