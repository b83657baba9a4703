import AppleIdentity
import ArgumentParser
import Foundation
import NIOHTTP1

/// `siwa database`: the database as a whole.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Copy the database, move it, and seal its secrets with a new key.",
        discussion: """
            backup and reseal work with a running server and without one: a server that has the database open is \
            asked over the socket beside the file, which only the file's owner can reach.
            """,
        subcommands: [Backup.self, Copy.self, Reseal.self]
    )
}

extension DatabaseCommand {
    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy the database into a file while the server goes on.",
            discussion: """
                The copy has all that was stored when the command began, is checked, and is \
                readable by its owner alone. It does not have the sealing keys: keep them elsewhere.
                """
        )

        @Argument(help: "The file to write.") var file: String

        @Flag(help: "Replace the file if it is there.") var force = false

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let path = URL(filePath: file).path
            guard force || !FileManager.default.fileExists(atPath: path) else {
                throw CommandFailure("\(path) exists already", hint: "add --force to replace it")
            }
            let console = Console()
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
                    "the copy was not finished",
                    hint: "the server ended meanwhile; try again with --force"
                )
            }
            let noun = accounts == 1 ? "account" : "accounts"
            console.write("\(path): \(accounts) \(noun), \(bytes) bytes, checked")
        }
    }

    struct Reseal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Seal every secret in the database with the first of SIWA_SEALING_KEYS.",
            discussion: """
                Start the server with the new key in front of the old ones, run this command, then \
                drop the old keys. Interrupted, it can be run again. Exits with 1 when a secret is \
                left that no key opens.
                """
        )

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let console = Console()
            let total = try await database.withClient(needingKeys: true) { client in
                var total = Count()
                var position: String?
                repeat {
                    var body: JSONObject = [:]
                    body["after"] = position.map { .string($0) }
                    let step = try await client.send(.POST, ["database", "reseal"], body)
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
                    "\(total.unopened) secrets are left that no key opens",
                    hint: "add the key that sealed them behind the others, and run this again"
                )
            }
        }
    }

    /// What resealing has come to.
    private struct Count {
        var resealed = 0
        var current = 0
        var unopened = 0

        mutating func add(_ step: JSONObject) {
            resealed += step["resealed"]?.integerValue ?? 0
            current += step["current"]?.integerValue ?? 0
            unopened += step["unopened"]?.integerValue ?? 0
        }

        var words: String {
            "sealed again: \(resealed), by the first key already: \(current), "
                + "opened by no key: \(unopened)"
        }
    }
}
