import Accounts
import AppleIdentity
import ArgumentParser
import NIOHTTP1

/// `siwa audit`: who did what, and whether anybody has changed that.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List the audit log, and check that nobody has changed it.",
        discussion: """
            Works with a running server and without one: a server that has the database open is \
            asked over the socket beside the file, which only the file's owner can reach.
            """,
        subcommands: [List.self, Verify.self, Restart.self]
    )
}

extension AuditCommand {
    /// `siwa audit list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List entries in the order of their times.",
            discussion: "Without --since and --after the latest entries are listed."
        )

        @Option(help: "Only entries about the account with this id, also when it was deleted.")
        var account: String?

        @Option(help: "Only entries from this time on: 2026-11-23T08:00:00Z, or 2026-11-23.")
        var since: String?

        @Option(help: "How many to list, at most \(AuditQuery.maximumCount).")
        var limit = 100

        @Option(help: "Go on behind the entry with this id.")
        var after: String?

        @Flag(help: "Print a line of JSON for each entry.")
        var json = false

        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard (1...AuditQuery.maximumCount).contains(limit) else {
                throw ValidationError("--limit must be 1 to \(AuditQuery.maximumCount)")
            }
            guard since == nil || after == nil else {
                throw ValidationError("--since and --after exclude each other")
            }
        }

        func run() async throws {
            var query = ["limit": "\(limit)"]
            query["account"] = account
            query["since"] = since
            query["after"] = after
            let isLatest = since == nil && after == nil
            if isLatest { query["latest"] = "true" }
            let parameters = query
            let answer = try await database.withClient {
                try await $0.send(.GET, ["audit"], query: parameters)
            }
            var entries = answer["entries"]?.arrayValue?.compactMap(\.objectValue) ?? []
            if isLatest { entries.reverse() }
            let console = Console()
            let lines =
                json
                ? entries.map(TerminalText.json)
                : TerminalText.table(AuditText.header, entries.map(AuditText.row))
            for line in lines { console.write(line) }
            guard let next = answer["next"]?.stringValue else { return }
            console.writeError(
                isLatest
                    ? "there may be earlier ones: add --since, or a higher --limit"
                    : "there may be more: add --after \(TerminalText.line(next))"
            )
        }
    }

    /// `siwa audit verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that no entry was changed, added or taken away without the keys.",
            discussion: """
                Needs the server's SIWA_SEALING_KEYS, or the running server. Exits with 1 when \
                something is wrong. Whoever can write to the database can also put all of it back \
                to an earlier state: give --head from the server's log ("audit log sealed") to have \
                that found, too.
                """
        )

        @Option(help: "An end of the chain from the server's log, which has to be part of it.")
        var head: String?

        @Flag(help: "Print one line of JSON.")
        var json = false

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let console = Console()
            let result = try await database.withClient(needingKeys: true) { client in
                var result = AuditResult()
                var position: String?
                repeat {
                    var body: JSONObject = [:]
                    body["after"] = position.map { .string($0) }
                    body["head"] = head.map { .string($0) }
                    let step = try await client.send(.POST, ["audit", "check"], body)
                    result.add(step)
                    console.writeProgress("checked \(result.checkedCount) entries")
                    position = step["next"]?.stringValue
                } while position != nil
                console.writeProgress("")
                return result
            }
            if json {
                console.write(TerminalText.json(result.document))
            } else {
                for line in result.lines { console.write(line) }
            }
            guard result.findings.isEmpty else {
                throw CommandFailure(
                    "the audit log was altered; findings: \(result.findings.count)",
                    hint: "compare with a backup; operations.md says what each code means"
                )
            }
        }
    }

    /// `siwa audit restart`.
    struct Restart: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the chain begin anew behind what is there.",
            discussion: """
                For after an altered log was looked at, or when the keys that signed it are lost: \
                until then nothing more is sealed. The entries stay, and are not checked any more. \
                The restart is an entry itself. Restart the servers afterwards.
                """
        )

        @Flag(help: "Do not ask.")
        var yes = false

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let console = Console()
            guard yes || console.canAsk else {
                throw CommandFailure.usage(
                    "nobody can be asked whether the chain shall begin anew",
                    hint: "add --yes"
                )
            }
            let question =
                "Begin the audit log's chain anew? Earlier entries can't be checked then."
            guard yes || console.asks(question) else {
                throw CommandFailure("nothing was changed")
            }
            _ = try await database.withClient(needingKeys: true) {
                try await $0.send(.POST, ["audit", "restart"], [:])
            }
            console.write("the chain begins anew")
        }
    }
}
