import AppleIdentity
import ArgumentParser
import Foundation
import NIOHTTP1

/// The option that gives up what lost sealing keys encrypted.
struct Abandonment: ParsableArguments {
    @Option(
        name: .customLong("abandon"),
        help: ArgumentHelp(
            "Give up the secrets of a lost sealing key; may be repeated. reseal deletes them.",
            valueName: "id"
        )
    )
    var keys: [String] = []

    func report(_ answer: JSONObject) {
        guard !keys.isEmpty, let secrets = answer["lostSecrets"]?.integerValue,
            let tokens = answer["lostTokens"]?.integerValue
        else { return }
        Terminal().writeError(
            "\(TerminalText.counted(secrets, "secret")) given up; \(TerminalText.counted(tokens, "refresh token")) of them can no longer be revoked at Apple when the account is deleted"
        )
    }
}

/// `siwa database`: migration, backup, copy and re-encryption.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Migrate, back up or move the database, or encrypt its secrets with a new key.",
        discussion: "For backup and reseal: " + DatabaseOptions.access,
        subcommands: [Migrate.self, Backup.self, Copy.self, Reseal.self]
    )
}

extension DatabaseCommand {
    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create the tables of a database, or migrate those of an older version.",
            discussion: """
                siwa serve does the same when it starts; no other command does. Only siwa serve creates a missing \
                SQLite file, because the path may be mistyped. Before a migration, a SQLite file is copied to FILE.before-N. Older programs refuse the database afterwards.
                """
        )

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            try await database.migrate()
            Terminal().write("the tables are up to date")
        }
    }

    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Back up a SQLite database to a file, even while the server runs.",
            discussion: """
                The backup contains everything that was stored when the command began. The command checks it, and \
                makes it readable only by its owner. The backup does not contain the sealing keys: keep them in \
                another place. For PostgreSQL, use pg_dump.
                """
        )

        @Argument(help: "The file to write.") var file: String

        @Flag(help: "Overwrite an existing file.") var force = false

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let path = URL(filePath: file).path
            guard force || !FileManager.default.fileExists(atPath: path) else {
                throw CommandFailure("\(path) already exists", hint: "add --force to overwrite it")
            }
            let console = Terminal()
            let order: JSONObject = ["file": .string(path), "replaces": .boolean(force)]
            let report = try await database.withClient(needingFile: true) {
                client -> JSONObject? in
                var last: JSONObject?
                try await client.send(.POST, ["database", "backup"], order) { line in
                    last = line
                    if let copied = line["copied"]?.integerValue,
                        let pages = line["pages"]?.integerValue, pages > 0
                    {
                        console.writeProgress("copied \(copied * 100 / pages) %")
                    }
                }
                console.writeProgress("")
                return last
            }
            guard let bytes = report?["bytes"]?.integerValue,
                let accounts = report?["accounts"]?.integerValue
            else {
                throw CommandFailure(
                    "the backup was not completed",
                    hint: "the server stopped meanwhile; try again with --force"
                )
            }
            let counted = TerminalText.counted(accounts, "account")
            console.write("\(path): \(counted), \(bytes) bytes, checked")
        }
    }

    struct Reseal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Encrypt every secret in the database with the first of SIWA_SEALING_KEYS.",
            discussion: """
                Put the new key before the old ones and restart the server. With several servers, first put it after \
                the old ones on all of them and restart each. Then run this command, again if it was interrupted. \
                Remove the old keys a day later. Exits with 1 if no key can decrypt a secret, or if a server's keys are different.
                """
        )

        @OptionGroup var abandonment: Abandonment

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let console = Terminal()
            let total = try await database.withClient(needingKeys: true) { client in
                var total = Count()
                var position: String?
                repeat {
                    var body: JSONObject = [:]
                    body["after"] = position.map { .string($0) }
                    let step = try await client.send(
                        ["database", "reseal"],
                        body,
                        abandoning: abandonment.keys
                    )
                    abandonment.report(step)
                    total.add(step)
                    console.writeProgress(total.words)
                    position = step["next"]?.stringValue
                } while position != nil
                console.writeProgress("")
                return total
            }
            console.write(total.words)
            guard total.unopened == 0 else {
                throw CommandFailure(
                    "\(total.unopened) secrets can't be decrypted with any key",
                    hint: "add the missing key at the end of SIWA_SEALING_KEYS, and run this again"
                )
            }
        }
    }

    /// The result of the steps so far.
    private struct Count {
        var key = ""
        var resealed = 0
        var current = 0
        var unopened = 0

        mutating func add(_ step: JSONObject) {
            key = step.cell("key")
            resealed += step["resealed"]?.integerValue ?? 0
            current += step["current"]?.integerValue ?? 0
            unopened += step["unopened"]?.integerValue ?? 0
        }

        var words: String {
            "encrypted with the key \(TerminalText.line(key)): \(resealed), already encrypted with it: \(current), "
                + "not decryptable: \(unopened)"
        }
    }
}
