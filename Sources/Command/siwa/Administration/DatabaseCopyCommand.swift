import Accounts
import AccountsPostgreSQL
import AccountsSQLite
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

/// One of the two databases of a copy.
private struct CopiedDatabase {
    private static let batchTimeout: Duration = .seconds(300)
    /// How often the copy looks for other connections before it reports them.
    private static let looks = 20

    private let address: DatabaseAddress
    private let role: String

    init(_ text: String, as role: String) throws {
        do {
            address = try DatabaseAddress(text)
        } catch {
            // The text may contain a password.
            throw CommandFailure.usage("the \(role) \(error.message)", hint: error.fix)
        }
        self.role = role
    }

    /// The kind of database, for the audit log, which contains neither path nor URL.
    var kind: String {
        switch address {
        case .sqlite: "sqlite"
        case .postgreSQL: "postgresql"
        }
    }

    /// Refuses a missing file, which would otherwise be created empty.
    func requireFile() throws {
        guard case .sqlite(let path) = address else { return }
        let missing = CommandFailure("there is no database at \(path)")
        try FileAccess.require(path, orElse: missing)
    }

    /// Whether this is the only connection; PostgreSQL lists a closed connection for a moment longer.
    private static func isAlone(on database: PostgreSQLDatabase) async throws -> Bool {
        for attempt in 1...looks {
            if try await database.otherConnectionCount() == 0 { return true }
            if attempt < looks { try await TimeSource.live.sleep(for: .milliseconds(100)) }
        }
        return false
    }

    /// Runs a body with the database, after a check for other processes that have it open.
    func withStore<Answer: Sendable>(
        migrating migrates: Bool,
        _ body: (AccountStore) async throws -> Answer
    ) async throws -> Answer {
        let logger = ProgramLogger.make("siwa.database")
        switch address {
        case .sqlite(let path):
            guard !SQLiteDatabase.isOpen(path: path) else { throw inUse }
            // Its lock is held until it is closed.
            let file = try SQLiteDatabase(
                path: path,
                isForCopying: true,
                migrates: migrates,
                logger: logger
            )
            return try await lending(AccountStore(file), body)
        case .postgreSQL(var settings):
            settings.statementTimeout = Self.batchTimeout
            let server = try await PostgreSQLDatabase(
                settings,
                isForCopying: true,
                migrates: migrates,
                time: .live,
                logger: logger
            )
            return try await lending(AccountStore(server)) { store in
                guard try await Self.isAlone(on: server) else { throw inUse }
                return try await body(store)
            }
        }
    }

    private func lending<Answer: Sendable>(
        _ store: AccountStore,
        _ body: (AccountStore) async throws -> Answer
    ) async throws -> Answer {
        let result = await Result.awaiting { try await body(store) }
        try store.close()
        return try result.get()
    }

    private var inUse: CommandFailure {
        CommandFailure(
            "a server has the \(role) open; nothing was copied",
            hint: "stop every server and command that uses it: it must not change during the copy"
        )
    }
}
