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

        @Flag(help: "Also list what administrators only looked at.") var reads = false

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
                if !reads { query["reads"] = "false" }
                if isLatest { query["latest"] = "true" }
                return try await client.send(.GET, ["audit"], query: query)
            }
            var entries = answer.objects("entries")
            if isLatest { entries.reverse() }
            let console = Terminal()
            if json {
                console.write(lines: entries)
            } else {
                console.write(table: AuditText.header, entries.map(AuditText.row))
            }
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
                    console.write(lines: answer.objects("entries"))
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

    @Option(help: "Only entries of this action, such as sign_in_refused.") var action: String?

    @Option(help: "Only entries of this actor: \(AuditFilters.actors.joined(separator: ", ")).")
    var actor: String?

    private static let actors = AuditActor.allCases.map(\.rawValue)

    func validate() throws {
        try Self.check(action, "action", AuditAction.allCases.map(\.rawValue))
        try Self.check(actor, "actor", Self.actors)
    }

    private static func check(_ name: String?, _ noun: String, _ names: [String]) throws {
        guard let name, !names.contains(name) else { return }
        let question = Spelling.question(Spelling.nearest(to: name, among: names))
        throw ValidationError(
            "there is no \(noun) \(name.debugDescription); "
                + (question ?? "the \(noun)s are \(names.joined(separator: ", "))")
        )
    }

    func parameters(_ client: AdministrationClient) async throws -> [String: String] {
        var parameters: [String: String] = [:]
        if let account { parameters["account"] = try await client.accountID(of: account) }
        parameters["since"] = since
        parameters["action"] = action
        parameters["actor"] = actor
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
