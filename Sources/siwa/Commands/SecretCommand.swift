import AppleIdentity
import ArgumentParser
import Foundation
import SignInWithApple

/// `siwa secret`: a client secret made from the key.
struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Print a client secret made from the .p8 key.",
        discussion: "Options that you leave out are read from the SIWA_… environment variables."
    )

    @Option(help: "The client the secret is for: a bundle identifier or Services ID.")
    var clientID: String?

    @Option(help: "The team (SIWA_TEAM_ID).")
    var teamID: String?

    @Option(help: "The key's identifier (SIWA_KEY_ID).")
    var keyID: String?

    @Option(help: "The .p8 file (SIWA_KEY_FILE).")
    var keyFile: String?

    @Option(help: "How long the secret is valid, in seconds; Apple allows 15777000.")
    var lifetime = 600

    func validate() throws {
        guard (1...ClientSecretKey.maximumLifetime.wholeSeconds).contains(lifetime) else {
            throw ValidationError(
                "--lifetime must be 1 to \(ClientSecretKey.maximumLifetime.wholeSeconds) seconds"
            )
        }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let client = try value(
            clientID ?? environment["SIWA_SERVICES_ID"] ?? firstClient(environment),
            option: "--client-id",
            variable: "SIWA_SERVICES_ID or SIWA_CLIENT_IDS"
        )
        let team = try value(
            teamID ?? environment["SIWA_TEAM_ID"],
            option: "--team-id",
            variable: "SIWA_TEAM_ID"
        )
        let key = try value(
            keyID ?? environment["SIWA_KEY_ID"],
            option: "--key-id",
            variable: "SIWA_KEY_ID"
        )
        let file = try value(
            keyFile ?? environment["SIWA_KEY_FILE"],
            option: "--key-file",
            variable: "SIWA_KEY_FILE"
        )
        let secret = try make(client: client, team: team, key: key, pem: try read(file))
        Console().write(secret)
    }

    private func make(client: String, team: String, key: String, pem: String) throws -> String {
        do {
            let key = try ClientSecretKey(pem: pem, keyID: KeyID(key), teamID: TeamID(team))
            return try key.clientSecret(for: ClientID(client), lifetime: .seconds(lifetime))
        } catch {
            throw CommandFailure(
                error.hint,
                hint: "siwa secret --help says where to find the identifiers and the key"
            )
        }
    }

    private func firstClient(_ environment: [String: String]) -> String? {
        environment["SIWA_CLIENT_IDS"]?.split(separator: ",").first
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func value(_ value: String?, option: String, variable: String) throws -> String {
        guard let value, !value.isEmpty else {
            throw CommandFailure.usage(
                "\(option) is missing",
                hint: "give it, or set \(variable)"
            )
        }
        return value
    }

    private func read(_ file: String) throws -> String {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw CommandFailure(
                "can't read \(file)",
                hint: "name the AuthKey_….p8 file from Apple's portal"
            )
        }
        return text
    }
}
