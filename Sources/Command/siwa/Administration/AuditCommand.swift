import Accounts
import AppleIdentity
import ArgumentParser
import NIOHTTP1

/// `siwa audit`: the log of security-relevant actions.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List and export the audit log.",
        discussion: DatabaseOptions.access,
        subcommands: [List.self, Export.self]
    )
}

extension AuditCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the latest entries, or those after --since or --after, oldest first."
        )

        @OptionGroup var filters: AuditFilters

        @Option(help: "The number of entries, at most \(AuditQuery.maximumCount).") var limit = 100

        @Option(help: "Continue after the entry with this id.") var after: String?

        @Flag(help: "Print one line of JSON for each entry.") var json = false

        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard (1...AuditQuery.maximumCount).contains(limit) else {
                throw ValidationError("--limit must be 1 to \(AuditQuery.maximumCount)")
            }
            guard filters.since == nil || after == nil else {
                throw ValidationError("--since and --after can't be combined")
            }
        }

        func run() async throws {
            let isLatest = filters.since == nil && after == nil
            let answer = try await database.withClient { client in
                var query = try await filters.parameters(client)
                query["limit"] = "\(limit)"
                query["after"] = after
                if isLatest { query["latest"] = "true" }
                return try await client.send(.GET, ["audit"], query: query)
            }
            var entries = answer.objects("entries")
            if isLatest { entries.reverse() }
            let console = Terminal()
            let lines =
                json
                ? entries.map(TerminalText.json)
                : TerminalText.table(AuditText.header, entries.map(AuditText.row))
            for line in lines { console.write(line) }
            guard let next = answer["next"]?.stringValue else { return }
            console.writeError(
                isLatest
                    ? "there may be earlier entries: add --since, or a higher --limit"
                    : "there may be later entries: add --after \(TerminalText.line(next))"
            )
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all entries, oldest first, with one line of JSON for each."
        )

        @OptionGroup var filters: AuditFilters

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let console = Terminal()
            try await database.withClient { client in
                var query = try await filters.parameters(client)
                query["limit"] = "\(AuditQuery.maximumCount)"
                repeat {
                    let answer = try await client.send(.GET, ["audit"], query: query)
                    for entry in answer.objects("entries") {
                        console.write(TerminalText.json(entry))
                    }
                    query["after"] = answer["next"]?.stringValue
                } while query["after"] != nil
            }
        }
    }
}

struct AuditFilters: ParsableArguments {
    @Option(
        help:
            "Only entries about this account: its id, even if it was deleted, its username, email address or Apple identifier."
    )
    var account: String?

    @Option(help: "Only entries from this time on: 2026-11-23T08:00:00Z, or 2026-11-23.")
    var since: String?

    func parameters(_ client: AdministrationClient) async throws -> [String: String] {
        var parameters: [String: String] = [:]
        if let account { parameters["account"] = try await client.accountID(of: account) }
        parameters["since"] = since
        return parameters
    }
}

enum AuditText {
    static let header = ["AT", "ACTION", "ACTOR", "ACCOUNT", "ADDRESS", "CLIENT", "DETAIL"]

    static func row(_ entry: JSONObject) -> [String] {
        let administrator = entry["administrator"]?.stringValue.map { " \($0)" } ?? ""
        return [entry.cell("at"), entry.cell("action"), entry.cell("actor") + administrator]
            + ["account", "address", "client", "detail"].map(entry.cell)
    }
}
