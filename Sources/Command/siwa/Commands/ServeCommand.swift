import Accounts
import AccountsServer
import ArgumentParser
import Hummingbird
import Logging

/// `siwa serve`: only the accounts server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Start the accounts server, configured by SIWA_… settings.",
        discussion: """
            The settings come from the environment and --config; siwa doctor checks them. Lists have commas.

            \(Setting.help)
            """
    )

    @Option(help: "A YAML or JSON file of SIWA_… settings; the environment overrides it.")
    var config: String?

    @Option(help: "The IP address to listen on.") var host = "127.0.0.1"

    @Option(help: "The port; 0 picks a free one.") var port = 8080

    @Flag(help: "Print the URL as one JSON line when ready.") var json = false

    func run() async throws {
        if config == nil, !ServerSettings.areInEnvironment {
            Terminal().writeError("note: to try the server without any settings, run siwa demo")
        }
        let reader = try await ServerSettings.reader(file: config)
        // Before the port, because finding missing settings takes the user longer than choosing another port.
        var configuration = try ServerSettings.explaining { () throws(ConfigurationErrors) in
            try AccountsServerConfiguration(reader: reader)
        }
        let port = try PortNumber.resolve(port)
        let logger = ProgramLogger.make("siwa.accounts", configuration.log)
        configuration.maximumConnectionCount = OpenFileLimit.connectionCount(
            atMost: configuration.maximumConnectionCount,
            logger: logger
        )
        let publicURL = configuration.origins.first?.serialized ?? ""
        if let mistake = configuration.trustedProxies.mistake(publicURL: publicURL) {
            logger.warning(
                "\(mistake.variable) \(mistake.message)",
                metadata: ["hint": "\(mistake.fix)"]
            )
        }
        let drain = ListenerDrain(logger: logger)
        do {
            let server = try await buildAccountsServer(
                configuration: configuration,
                metrics: ProgramMetrics.bootstrap(),
                drain: drain,
                logger: logger,
                host: host,
                port: port,
                onServerRunning: { [host, json] _ in
                    ServiceManager.reportReady()
                    Announcement(server: "http://\(host):\(port)").print(asJSON: json)
                }
            )
            try await Program.run([server, drain], ports: [port])
        } catch let error as AccountStoreError {
            throw CommandFailure(
                error.hint,
                hint: "siwa doctor checks the database, with the same settings"
            )
        }
    }
}
