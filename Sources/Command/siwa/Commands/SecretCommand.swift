import AccountsServer
import AppleIdentity
import ArgumentParser
import Configuration
import SignInWithApple

/// `siwa secret`: a client secret, signed with the team's key.
struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Print a client secret, signed with the .p8 key.",
        discussion: """
            Client, team and key come from the options, else from the SIWA_… environment variables, else from the \
            file of --config. Apple's membership page shows the team ID; a key's file name contains its ID: \
            AuthKey_KEYID.p8.
            """
    )

    @Option(help: "A YAML or JSON file of SIWA_… settings; the environment overrides it.")
    var config: String?

    @Option(help: "The bundle ID or Services ID (SIWA_SERVICES_ID, else first of SIWA_CLIENT_IDS).")
    var clientID: String?

    @Option(help: "Your team ID at Apple (SIWA_TEAM_ID).") var teamID: String?

    @Option(help: "The key's ID (SIWA_KEY_ID).") var keyID: String?

    @Option(help: "The key's .p8 file (SIWA_KEY_FILE).") var keyFile: String?

    @Option(help: "How long the secret is valid, in seconds; at most 15777000.")
    var lifetime = 600

    func validate() throws {
        guard (1...ClientSecretKey.maximumLifetime.wholeSeconds).contains(lifetime) else {
            throw ValidationError(
                "--lifetime must be 1 to \(ClientSecretKey.maximumLifetime.wholeSeconds) seconds"
            )
        }
    }

    func run() async throws {
        let reader = try await ServerSettings.reader(flags: flags, file: config)
        let client = try client(reader)
        let isKeySet = AccountsServerConfiguration.isSet("SIWA_KEY", reader: reader)
        for (option, name) in Self.options where !(isKeySet && name == "SIWA_KEY_FILE") {
            try require(name, option, reader)
        }
        let key = try ServerSettings.explaining { () throws(ConfigurationErrors) in
            try AccountsServerConfiguration.clientSecretKey(reader: reader)
        }
        do {
            Terminal().write(try key.clientSecret(for: client, lifetime: .seconds(lifetime)))
        } catch {
            throw CommandFailure(
                error.hint,
                hint: "siwa secret --help explains where to find the identifiers and the key"
            )
        }
    }

    /// The options that are required for the key, and their settings.
    private static let options = [
        ("--team-id", "SIWA_TEAM_ID"), ("--key-id", "SIWA_KEY_ID"),
        ("--key-file", "SIWA_KEY_FILE"),
    ]

    private var flags: [String: String] {
        [
            "SIWA_SERVICES_ID": clientID, "SIWA_TEAM_ID": teamID, "SIWA_KEY_ID": keyID,
            // The option overrides the other form of the key.
            "SIWA_KEY_FILE": keyFile, "SIWA_KEY": keyFile.map { _ in "" },
        ].compactMapValues(\.self)
    }

    /// The Services ID, or else the first of the apps.
    private func client(_ reader: ConfigReader) throws -> ClientID {
        guard let client = AccountsServerConfiguration.clients(reader: reader).first else {
            throw CommandFailure.noClient
        }
        return client
    }

    private func require(_ name: String, _ option: String, _ reader: ConfigReader) throws {
        guard AccountsServerConfiguration.isSet(name, reader: reader) else {
            throw CommandFailure.usage("\(option) is missing", hint: "give it, or set \(name)")
        }
    }
}
