import Accounts
import AppleIdentity
import ArgumentParser
import NIOHTTP1

/// `siwa users`: the administration of accounts.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "List, show, delete and transfer accounts, and end their sessions.",
        discussion: DatabaseOptions.access,
        subcommands: [List.self, Show.self, Sessions.self, Delete.self, Transfer.self]
    )

    fileprivate static let accountHelp: ArgumentHelp =
        "The account's id, username, email address or Apple identifier."
}

extension UsersCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List accounts, the newest first."
        )

        @Option(help: "Only accounts with this in name, email or username, or at the id's start.")
        var search: String?

        @Option(help: "Only accounts since this time: 2026-11-23T08:00:00Z, or 2026-11-23.")
        var since: String?

        @Option(help: "The number of accounts, at most \(AccountQuery.maximumCount).")
        var limit = 50

        @Option(help: "Continue after this position, which the page before printed.") var after:
            String?

        @Flag(help: "Print the result as JSON: one line, indented on a terminal.") var json = false

        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard (1...AccountQuery.maximumCount).contains(limit) else {
                throw ValidationError("--limit must be 1 to \(AccountQuery.maximumCount)")
            }
        }

        func run() async throws {
            var query = ["limit": "\(limit)"]
            query["search"] = search
            query["since"] = since
            query["after"] = after
            let parameters = query
            let answer = try await database.withClient {
                try await $0.send(.GET, ["users"], query: parameters)
            }
            let console = Terminal()
            guard !json else { return console.write(json: answer) }
            let users = answer.objects("users")
            console.write(table: UserText.header, users.map(UserText.row))
            guard !users.isEmpty || search != nil || since != nil || after != nil else {
                return console.writeError(
                    "note: this database has no accounts; --config or --database selects another"
                )
            }
            let next = answer["next"]?.stringValue.map {
                "; there are more: add --after \(TerminalText.line($0))"
            }
            console.writeError(TerminalText.counted(users.count, "account") + (next ?? ""))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show an account, its link to Apple, and its sessions."
        )

        @Argument(help: UsersCommand.accountHelp) var account: String

        @Flag(help: "Print the result as JSON: one line, indented on a terminal.") var json = false

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let user = try await database.user(account)
            let console = Terminal()
            guard !json else { return console.write(json: user) }
            for line in UserText.lines(user) { console.write(line) }
        }
    }

    struct Sessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List an account's live sessions, or end them."
        )

        @Argument(help: UsersCommand.accountHelp) var account: String

        @Option(help: "End the session with this id.") var end: String?

        @Flag(help: "End all sessions.") var endAll = false

        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard end == nil || !endAll else {
                throw ValidationError("--end and --end-all can't be combined")
            }
        }

        func run() async throws {
            let console = Terminal()
            if end != nil || endAll {
                let session = [end].compactMap(\.self)
                let answer = try await database.withClient { client in
                    let path = ["users", try await client.accountID(of: account), "sessions"]
                    return try await client.send(.DELETE, path + session)
                }
                let count = answer["ended"]?.integerValue ?? 0
                return console.write(TerminalText.counted(count, "session") + " ended")
            }
            let user = try await database.user(account)
            console.write(table: UserText.sessionHeader, UserText.sessionRows(user))
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete an account, end its sessions, and revoke its tokens at Apple.",
            discussion: """
                The database queues the revocations, and a mail to the user about the deletion, until a server sends \
                them; the mail waits at most a day. Without a running server, the command needs SIWA_SEALING_KEYS, \
                SIWA_SMTP_URL and SIWA_MAIL_FROM to queue the mail. The audit log records who deleted the account.
                """
        )

        @Argument(help: UsersCommand.accountHelp) var account: String

        @Flag(help: "Delete without asking for confirmation; needs the id or username.") var yes =
            false

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let console = Terminal()
            guard yes || console.canAsk else {
                throw CommandFailure.usage(
                    "deleting needs confirmation, and this is not a terminal",
                    hint: "add --yes to delete without confirmation"
                )
            }
            let answer = try await database.withClient { client -> JSONObject? in
                let id = try await client.accountID(of: account, unasked: yes)
                let path = ["users", id]
                let user = try await client.send(.GET, path)
                let title = UserText.title(user)
                guard yes || console.asks("Delete \(title)? This can't be undone.") else {
                    return nil
                }
                return try await client.send(.DELETE, path)
            }
            guard let answer, let count = answer["revocations"]?.integerValue else {
                throw CommandFailure("nothing was deleted")
            }
            console.write(
                "the account was deleted; \(TerminalText.counted(count, "token")) queued for revocation"
            )
            console.write(UserText.lastMail(answer["mail"]?.stringValue))
        }
    }
}

extension DatabaseOptions {
    fileprivate func user(_ account: String) async throws -> JSONObject {
        try await withClient { client in
            try await client.send(.GET, ["users", try await client.accountID(of: account)])
        }
    }
}
