import Accounts
import AccountsSQLite
import AccountsServer
import AppleEmulator
import AppleEmulatorServer
import AppleIdentity
import Foundation
import Hummingbird
import SignInWithApple

/// The emulator and an accounts server in one process, which know each other only by URL.
struct Demo: Sendable {
    private static let teamID = "JUICETEAM1"
    private static let keyID = "JUICEKEY01"

    let ports: DemoPorts
    let folder: DemoFolder
    let isJSON: Bool
    let tls: TLSListener?

    func run() async throws {
        let origins = try origins()
        let seed = Seed.demo(
            redirectURIs: origins.map(\.redirectURI),
            notificationURL: "http://localhost:\(ports.server)/apple/notifications"
        )
        var emulation = EmulatorConfiguration()
        // Accounts survive a power cut, but the emulator's state may be a second older. A fixed key
        // keeps the users' identifiers the same, even after a reset.
        emulation.identifierKey = try folder.key(named: "identifier.key")
        let restored = try await KeptEmulator(
            path: folder.path,
            seed: seed,
            configuration: emulation
        )
        // The ports may differ from those of the last start.
        await restored.emulator.takeAddresses(of: seed)
        let people = await restored.people(of: seed)
        // Only after the emulator has locked the folder, because another demo may write its log there.
        let log = try DemoLog(in: folder)
        let announcement = announcement(people, log: log.path)
        let startingCount = LockedValue(2)
        let ready: @Sendable () -> Void = {
            let remaining = startingCount.withLock { count in
                count -= 1
                return count
            }
            if remaining == 0 { announcement.print(asJSON: isJSON) }
        }
        let apple = AppleEmulatorService(
            emulator: restored.emulator,
            configuration: .init(
                port: ports.apple,
                controlPort: ports.control,
                smtpPort: ports.smtp
            ),
            tls: tls,
            stateFolder: restored.folder,
            logger: log.logger("siwa.emulator"),
            onReady: { _ in ready() }
        )
        try await run(
            apple,
            restored,
            log,
            try await serverConfiguration(of: restored, origins: origins),
            onServerRunning: ready
        )
    }

    /// Runs the emulator's service, the accounts server and the report.
    private func run(
        _ apple: AppleEmulatorService,
        _ restored: KeptEmulator,
        _ log: DemoLog,
        _ configuration: AccountsServerConfiguration,
        onServerRunning ready: @escaping @Sendable () -> Void
    ) async throws {
        let logger = log.logger("siwa.accounts")
        let drain = ListenerDrain(logger: logger)
        let metrics = ProgramMetrics.bootstrap()
        let store = try AccountStore(
            SQLiteDatabase(
                path: folder.databasePath,
                metrics: metrics.factory,
                logger: logger
            )
        )
        let server = try buildAccountsServer(
            configuration: configuration,
            store: store,
            transport: .live(),
            // Notifications have the emulator's time, and moving its clock ages sessions and links.
            time: restored.emulator.shownTime,
            metrics: metrics,
            drain: drain,
            logger: logger,
            address: .hostname("127.0.0.1", port: ports.server),
            administeredPath: folder.databasePath,
            onServerRunning: { _ in ready() }
        )
        let report = DemoReport(log: log, store: store, emulator: restored.emulator)
        try await Program.run(
            [report, apple, server, drain],
            ports: ports.all + [tls?.port].compactMap(\.self),
            logger: log.logger("siwa")
        )
    }

    /// Two host names that browsers treat as different sites, like the server's and Apple's.
    ///
    /// The second pair is for users who open the server at 127.0.0.1.
    private func origins() throws -> [WebOrigin] {
        try [("localhost", "127.0.0.1"), ("127.0.0.1", "localhost")].map {
            try WebOrigin(
                publicURL: try url(host: $0.0, port: ports.server),
                appleBrowserURL: try url(host: $0.1, port: ports.apple)
            )
        }
    }

    private func serverConfiguration(
        of restored: KeptEmulator,
        origins: [WebOrigin]
    ) async throws -> AccountsServerConfiguration {
        guard let key = await restored.emulator.privateKeyPEM(of: KeyID(Self.keyID)) else {
            throw CommandFailure(
                "the state in \(restored.folder.filePath) is not from a demo: it has no key \(Self.keyID)",
                hint: "move the file away to start over, or give another folder with --data"
            )
        }
        let keyFile = try folder.write(key, named: "AuthKey_\(Self.keyID).p8")
        let sealingKey = try folder.key(named: "sealing.key").base64EncodedString()
        let environment = ProcessInfo.processInfo.environment
        let values = [
            "SIWA_TEAM_ID": Self.teamID,
            "SIWA_KEY_ID": Self.keyID,
            "SIWA_KEY_FILE": keyFile,
            "SIWA_CLIENT_IDS": "com.example.juice",
            "SIWA_SERVICES_ID": "com.example.juice.web",
            "SIWA_PUBLIC_URL": origins[0].serialized,
            "SIWA_APPLE_URL": "http://127.0.0.1:\(ports.apple)",
            "SIWA_DATABASE_URL": "sqlite:\(folder.databasePath)",
            "SIWA_SEALING_KEYS": "demo:\(sealingKey)",
            "SIWA_SMTP_URL": "smtp://127.0.0.1:\(ports.smtp)",
            // The seed's team registered this domain as a source of its mail.
            "SIWA_MAIL_FROM": "no-reply@juice.example.com",
        ]
        let features = Setting.all.filter(\.isInDemo)
            .compactMap { setting in environment[setting.name].map { (setting.name, $0) } }
        var configuration = try AccountsServerConfiguration(values: values.merging(features) { $1 })
        configuration.origins = origins
        configuration.brand.emulatorConsole = "http://127.0.0.1:\(ports.control)"
        return configuration
    }

    private func announcement(_ people: [String], log: String) -> Announcement {
        Announcement(
            server: "http://localhost:\(ports.server)",
            apple: "http://127.0.0.1:\(ports.apple)",
            control: "http://127.0.0.1:\(ports.control)",
            smtp: "127.0.0.1:\(ports.smtp)",
            tls: tls.map { "\($0.host):\($0.port)" },
            certificatePath: tls?.certificatePath,
            people: people,
            app: appCommand,
            log: log
        )
    }

    /// The command that opens the app; `siwa app` finds the default ports without options.
    private var appCommand: String {
        let server = ports.server == 8080 ? "" : " --server http://localhost:\(ports.server)"
        let control = ports.control == 8082 ? "" : " --control http://127.0.0.1:\(ports.control)"
        return "\(CommandLine.arguments.first ?? "siwa") app" + server + control
    }

    private func url(host: String, port: Int) throws -> URL {
        guard let url = URL(string: "http://\(host):\(port)") else {
            throw CommandFailure("\(host):\(port) is not a host and port")
        }
        return url
    }
}
