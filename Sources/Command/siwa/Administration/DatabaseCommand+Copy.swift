import Accounts
import AccountsServer
import AppleIdentity
import ArgumentParser
import Foundation

extension DatabaseCommand {
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy a database into an empty SQLite or PostgreSQL one, and compare both.",
            discussion: """
                First stop every server that uses either database. If the command is interrupted, run it again: it \
                continues where it stopped. Until it has exited with 0, servers refuse to open the target. It exits \
                with 1 if the copy differs from the source.
                """
        )

        @Argument(help: "The database to copy: sqlite:PATH or postgres://…") var source: String

        @Argument(help: "The empty database to copy it to: sqlite:PATH or postgres://…")
        var target: String

        @Flag(help: "Delete the data of an unfinished copy from the target, and start over.")
        var restart = false

        func run() async throws {
            let console = Terminal()
            let source = try CopiedDatabase(source, as: "source")
            let target = try CopiedDatabase(target, as: "target")
            try source.requireFile()
            let audit = Self.audit(from: source, to: target)
            let report = try await Self.explaining {
                try await source.withStore(migrating: false) { from in
                    try await target.withStore(migrating: true) { into in
                        let copy = StoreCopy(from: from, to: into, audit: audit) { step in
                            console.writeProgress(Self.words(step))
                        }
                        defer { console.writeProgress("") }
                        return try await copy.run(restarting: restart)
                    }
                }
            }
            for table in report.tables { console.write("\(table.name): \(table.rowCount)") }
            console.write(
                "copied and compared: \(TerminalText.counted(report.accountCount, "account")), \(report.rowCount) rows"
            )
            console.writeError(
                "now set SIWA_DATABASE_URL to the target, keep the sealing keys, and move the source away: a server on it would send its outbox again"
            )
        }

        private static func audit(
            from source: CopiedDatabase,
            to target: CopiedDatabase
        ) -> AuditContext {
            AuditContext(
                actor: .administrator,
                administrator: AdministrationClient.person,
                detail: "\(source.kind) to \(target.kind)",
                now: TimeSource.live.now
            )
        }

        private static func words(_ step: StoreCopyStep) -> String {
            switch step {
            case .checking(let table): "reading \(table) again"
            case .copying(let table, let count, let total): "copying \(table): \(count) of \(total)"
            case .comparing(let table): "comparing \(table)"
            }
        }

        private static func explaining<Answer>(
            _ body: () async throws -> Answer
        ) async throws -> Answer {
            do {
                return try await body()
            } catch let error as StoreCopyError {
                throw CommandFailure(
                    TerminalText.line(error.message),
                    hint: TerminalText.line(error.hint)
                )
            } catch let error as AccountStoreError {
                throw CommandFailure(
                    TerminalText.line(error.hint),
                    hint: "the copied data is kept: fix the cause, and run the command again"
                )
            }
        }
    }
}
