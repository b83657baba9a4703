import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import AccountsServer
import AppleIdentity

/// One of the two databases of a copy.
struct CopiedDatabase {
    private static let batchTimeout: Duration = .seconds(300)
    /// The number of checks for other connections before the copy reports them.
    private static let checkCount = 20

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
        for attempt in 1...checkCount {
            if try await database.otherConnectionCount() == 0 { return true }
            if attempt < checkCount { try await TimeSource.live.sleep(for: .milliseconds(100)) }
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
