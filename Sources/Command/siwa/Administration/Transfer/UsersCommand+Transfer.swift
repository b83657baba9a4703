import AccountsServer
import AppleIdentity
import ArgumentParser
import Foundation
import SignInWithApple

extension UsersCommand {
    struct Transfer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Migrate the users when the app moves to another team at Apple.",
            discussion: """
                The sending team runs export, before the transfer or within 60 days after it. The recipient runs \
                import within the same 60 days. Both commands can be interrupted and run again: they request only the \
                remaining users from Apple.
                """,
            subcommands: [Export.self, Import.self]
        )
    }
}

extension UsersCommand.Transfer {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Get the users' transfer identifiers from Apple, and write them to a file.",
            discussion: """
                Needs the settings of the sending team. Stores the identifiers in the database, too. Exits with 1 if \
                some users could not be exported.
                """
        )

        @Argument(help: "The file to write; the recipient imports it.") var file: String

        @Option(help: "The team that receives the app.") var toTeam: String

        @OptionGroup var apple: AppleOptions
        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard TeamID(toTeam).isWellFormed else {
                throw ValidationError("--to-team must be ten capital letters or digits")
            }
        }

        func run() async throws {
            let console = Terminal()
            let team = TeamID(toTeam)
            let run = try await apple.run(database, console)
            guard run.team != team else {
                throw CommandFailure(
                    "the recipient is the team that already has the app",
                    hint: "--to-team is the recipient, SIWA_TEAM_ID the sending team"
                )
            }
            let path = URL(filePath: file).path
            let failures = try await database.withClient { client -> [PacedFailure]? in
                let people = try await TransferredPerson.all(client)
                let waiting = people.filter { $0.identifier(for: team) == nil }
                console.write(
                    "\(TerminalText.counted(people.count, "user")), \(waiting.count) to request from Apple"
                )
                guard !apple.dryRun else { return nil }
                try await run.record("export", of: waiting.count, to: team, client)
                let failures = try await run.export(waiting, to: team, client)
                let known = try await TransferredPerson.all(client)
                let count = try TransferFile.write(known, team: team, to: path)
                console.write("\(path): \(TerminalText.counted(count, "user"))")
                return failures
            }
            guard let failures else { return }
            console.writeError(
                "the recipient must import the file within 60 days after the app's transfer"
            )
            try run.report(failures)
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Get the exported users' new identifiers from Apple, and update accounts.",
            discussion: """
                Needs the settings of the recipient. Sets the new identifier and relay address of each account, and \
                deletes the sending team's refresh tokens. Exits with 1 if some users could not be imported.
                """
        )

        @Argument(help: "The file that export wrote.") var file: String

        @OptionGroup var apple: AppleOptions
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let console = Terminal()
            let run = try await apple.run(database, console)
            let people = try TransferFile.read(URL(filePath: file).path, team: run.team)
            let failures = try await database.withClient { client -> [PacedFailure]? in
                let known = try await TransferredPerson.all(client)
                let waiting = TransferredPerson.found(people, in: known)
                console.write(
                    "\(TerminalText.counted(people.count, "user")) in the file: \(waiting.count) to request from Apple, "
                        + "\(people.count - waiting.count) already migrated or without an account"
                )
                guard !apple.dryRun else { return nil }
                try await run.record("import", of: waiting.count, to: run.team, client)
                return try await run.import(waiting, client)
            }
            guard let failures else { return }
            try run.report(failures)
        }
    }
}

struct AppleOptions: ParsableArguments {
    static let maximumRate = 100

    @Option(
        help: """
            The app or Services ID for all requests to Apple. (default: the one that each user signed in with last)
            """
    )
    var clientID: String?

    @Option(help: "The number of requests to Apple per second, at most 100.") var rate = 20

    @Flag(help: "Report the number of users; send nothing to Apple and change nothing.")
    var dryRun = false

    func validate() throws {
        guard (1...Self.maximumRate).contains(rate) else {
            throw ValidationError("--rate must be 1 to \(Self.maximumRate)")
        }
    }

    /// Returns a run with the team and key of the settings.
    func run(_ database: DatabaseOptions, _ console: Terminal) async throws -> TransferRun {
        let flags = clientID.map { ["SIWA_SERVICES_ID": $0] } ?? [:]
        let reader = try await ServerSettings.reader(flags: flags, file: database.config)
        let (configuration, proxy) = try ServerSettings.explaining {
            () throws(ConfigurationErrors) in
            try AccountsServerConfiguration.apple(reader: reader)
        }
        guard let client = configuration.clientIDs.first, let key = configuration.key else {
            throw CommandFailure.noClient
        }
        return TransferRun(
            team: key.teamID,
            apple: AppleSignIn(configuration: configuration, transport: .live(through: proxy)),
            usualClient: client,
            asksAsUsualClient: clientID != nil,
            rate: rate,
            console: console
        )
    }
}
