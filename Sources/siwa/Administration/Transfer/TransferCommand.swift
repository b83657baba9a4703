import AccountsServer
import AppleIdentity
import ArgumentParser
import Foundation
import SignInWithApple

extension UsersCommand {
    struct Transfer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take the people along when the app moves to another team at Apple.",
            discussion: """
                The team that gives the app away runs export, before the transfer or within 60 days \
                after it; the recipient runs import within the same 60 days. Both can be \
                interrupted and run again: Apple is asked only for whom is left.
                """,
            subcommands: [Export.self, Import.self]
        )
    }
}

extension UsersCommand.Transfer {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask Apple for the transfer identifier of every person, and write them down.",
            discussion: """
                Needs the settings of the team that gives the app away. The identifiers are kept in \
                the database and written into the file. Exits with 1 when people are left.
                """
        )

        @Argument(help: "The file to write, which the recipient imports.") var file: String

        @Option(help: "The team that receives the app.") var toTeam: String

        @OptionGroup var apple: AppleOptions
        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard TeamID(toTeam).isWellFormed else {
                throw ValidationError("--to-team must be ten capital letters or digits")
            }
        }

        func run() async throws {
            let console = Console()
            let team = TeamID(toTeam)
            let run = try await apple.run(database, console)
            guard run.team != team else {
                throw CommandFailure(
                    "the app can't be given to the team that has it",
                    hint: "--to-team is the recipient, SIWA_TEAM_ID the team that gives it away"
                )
            }
            let path = URL(filePath: file).path
            let failures = try await database.withClient { client -> [PacedFailure]? in
                let people = try await TransferredPerson.all(client)
                let waiting = people.filter { $0.identifier(for: team) == nil }
                console.write("\(people.count) people, \(waiting.count) to ask Apple for")
                guard !apple.dryRun else { return nil }
                try await run.record("export", of: waiting.count, to: team, client)
                let failures = try await run.export(waiting, to: team, client)
                let known = try await TransferredPerson.all(client)
                let count = try TransferFile.write(known, team: team, to: path)
                console.write("\(path): \(count) people")
                return failures
            }
            guard let failures else { return }
            console.writeError(
                "the recipient imports the file within 60 days after the app's transfer"
            )
            try run.report(failures)
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask Apple who the exported people are here, and change their accounts.",
            discussion: """
                Needs the settings of the team that received the app. Each account gets the \
                person's new identifier and relay address; the refresh tokens of the former team \
                are dropped. Exits with 1 when people are left.
                """
        )

        @Argument(help: "The file that export has written.") var file: String

        @OptionGroup var apple: AppleOptions
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let console = Console()
            let run = try await apple.run(database, console)
            let people = try TransferFile.read(URL(filePath: file).path, team: run.team)
            let failures = try await database.withClient { client -> [PacedFailure]? in
                let known = try await TransferredPerson.all(client)
                let waiting = TransferredPerson.found(people, in: known)
                console.write(
                    "\(people.count) people in the file: \(waiting.count) to ask Apple for, "
                        + "\(people.count - waiting.count) moved before or without an account"
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

/// How Apple is asked about many people.
struct AppleOptions: ParsableArguments {
    /// Requests a second that a command may ask for.
    static let maximumRate = 100

    @Option(
        help:
            "The app or Services ID in whose name Apple is asked about everybody; else each person's own."
    )
    var clientID: String?

    @Option(help: "How many people Apple is asked about in a second, at most 100.") var rate = 20

    @Flag(help: "Tell what would be done; ask Apple nothing and change nothing.") var dryRun = false

    func validate() throws {
        guard (1...Self.maximumRate).contains(rate) else {
            throw ValidationError("--rate must be 1 to \(Self.maximumRate)")
        }
    }

    /// Prepares to ask in the name of the settings' team.
    func run(_ database: DatabaseOptions, _ console: Console) async throws -> TransferRun {
        let flags = clientID.map { ["SIWA_SERVICES_ID": $0] } ?? [:]
        let reader = try await ServerSettings.reader(flags: flags, file: database.config)
        let configuration = try ServerSettings.explaining { () throws(ConfigurationErrors) in
            try AccountsServerConfiguration.apple(reader: reader)
        }
        guard let client = configuration.clientIDs.first, let key = configuration.key else {
            throw CommandFailure.noClient
        }
        return TransferRun(
            team: key.teamID,
            apple: AppleSignIn(configuration: configuration),
            usualClient: client,
            asksAsUsualClient: clientID != nil,
            rate: rate,
            console: console
        )
    }
}
