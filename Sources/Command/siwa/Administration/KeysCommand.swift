import AppleIdentity
import ArgumentParser
import NIOHTTP1

/// `siwa keys`: the keys of access tokens.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List and rotate the keys that sign access tokens.",
        discussion: DatabaseOptions.access,
        subcommands: [List.self, Rotate.self]
    )

    private static func write(_ answer: JSONObject, json: Bool) {
        let (keys, console) = (answer.objects("keys"), Terminal())
        guard !json else { return console.write(lines: keys) }
        let columns = ["id", "state", "createdAt", "signsFrom", "publishedUntil"]
        let header = ["KEY", "STATE", "CREATED", "SIGNS FROM", "PUBLISHED UNTIL"]
        console.write(table: header, keys.map { key in columns.map(key.cell) })
    }
}

extension KeysCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the published keys; the server creates the first one when it needs it."
        )

        @Flag(help: "Print one line of JSON for each key.") var json = false

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let answer = try await database.withClient { try await $0.send(.GET, ["keys"]) }
            KeysCommand.write(answer, json: json)
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a key that replaces the current one.",
            discussion: """
                The new key is published at once and signs six minutes later, when every service can know it. The old \
                one is published for seven more minutes, until its last token has expired. No restart is needed, and \
                no valid token is refused.
                """
        )

        @Flag(
            help: """
                For a leaked key: sign with the new key at once and remove all others. Other servers of the database \
                sign with the old key for up to a minute. Services accept its tokens and refuse the new ones until \
                they fetch the keys again: after at most six minutes, or up to 24 hours while the server cannot be \
                reached. Restart them to shorten that.
                """
        )
        var immediately = false

        @Flag(help: "Print one line of JSON for each key.") var json = false

        @OptionGroup var abandonment: Abandonment

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let order: JSONObject = ["immediately": .boolean(immediately)]
            let answer = try await database.withClient(needingKeys: true) {
                try await $0.send(["keys", "rotate"], order, abandoning: abandonment.keys)
            }
            abandonment.report(answer)
            KeysCommand.write(answer, json: json)
        }
    }
}
