import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import AccountsServer
import ArgumentParser
import Configuration
import Foundation
import Logging
import ServiceLifecycle
import SignInWithApple

struct DatabaseOptions: ParsableArguments {
    /// How the commands reach the database, for their help.
    static let access = """
        While a server has a SQLite file open, the command uses the server's socket next to the file, which only the \
        file's owner can use. Otherwise it opens the database itself.
        """

    @Option(help: "A YAML or JSON file of SIWA_… settings; the environment overrides it.")
    var config: String?

    @Option(help: "The database: sqlite:PATH or postgres://…; overrides SIWA_DATABASE_URL.")
    var database: String?

    /// Runs a body with a client of the process that has the database open.
    ///
    /// If no process has it open, or it is a PostgreSQL database, this process opens it and serves the same routes.
    func withClient<Answer: Sendable>(
        needingKeys needsKeys: Bool = false,
        needingFile needsFile: Bool = false,
        _ body: @Sendable (AdministrationClient) async throws -> Answer
    ) async throws -> Answer {
        let reader = try await reader
        let database = try address(reader)
        if needsFile, case .postgreSQL = database {
            throw CommandFailure(
                "siwa does not back up PostgreSQL databases",
                hint: "use pg_dump"
            )
        }
        if case .sqlite(let path) = database, SQLiteDatabase.isOpen(path: path) {
            // The server encrypts; keys of this command are only compared with the server's.
            let hasKeys = ["SIWA_SEALING_KEYS", "SIWA_SEALING_KEYS_FILE"]
                .contains { AccountsServerConfiguration.isSet($0, reader: reader) }
            let sealer = needsKeys && hasKeys ? try sealer(reader, isNeeded: true) : nil
            return try await explaining(database) {
                var client = AdministrationClient(
                    socketPath: try AdministrationSocket.path(besides: path)
                )
                client.fingerprints = sealer?.fingerprints
                return try await body(client)
            }
        }
        let sealer = try sealer(reader, isNeeded: needsKeys)
        var rules = AccountsConfiguration()
        rules.hasMail = sealer != nil && AccountsServerConfiguration.hasMail(reader: reader)
        // A command that does not need the server's keys encrypts and decrypts nothing.
        let administration = OwnAdministration(
            sealer: try sealer ?? TokenSealer(keys: TokenSealer.makeKey(identifier: "unused")),
            rules: rules
        )
        return try await explaining(database) { try await administration.serve(database, body) }
    }

    /// Creates the tables that are missing, and migrates older ones.
    func migrate() async throws {
        let address = try await address(reader)
        let logger = ProgramLogger.make("siwa.database")
        try await explaining(address) {
            switch address {
            case .sqlite(let path): try SQLiteDatabase(path: path, logger: logger).close()
            case .postgreSQL(let settings):
                try await PostgreSQLDatabase(settings, logger: logger).close()
            }
        }
    }

    private var reader: ConfigReader {
        get async throws {
            let flags =
                database.map { ["SIWA_DATABASE_URL": $0, "SIWA_DATABASE_URL_FILE": ""] } ?? [:]
            return try await ServerSettings.reader(flags: flags, file: config)
        }
    }

    private func address(_ reader: ConfigReader) throws -> DatabaseAddress {
        var address: DatabaseAddress
        do {
            address = try DatabaseAddress(reader: reader)
        } catch {
            guard database == nil else {
                throw CommandFailure.usage("--database \(error.message)", hint: error.fix)
            }
            throw CommandFailure("\(error.variable) \(error.message)", hint: error.fix)
        }
        let isNamed = AccountsServerConfiguration.isSet("SIWA_DATABASE_URL", reader: reader)
        if !isNamed, let path = demoDatabase { address = .sqlite(path: path) }
        if case .sqlite(let path) = address {
            let missing = CommandFailure(
                "there is no database at \(path)",
                hint: "give --database sqlite:PATH, or set SIWA_DATABASE_URL"
            )
            try FileAccess.require(path, orElse: missing)
        }
        return address
    }

    /// The database of a demo in this folder, if there is no database of a server.
    private var demoDatabase: String? {
        let path = "\(DemoFolder.usualPath)/siwa.sqlite"
        let files = FileManager.default
        guard !files.fileExists(atPath: "siwa.sqlite"), files.fileExists(atPath: path) else {
            return nil
        }
        Terminal().writeError("note: this is the demo's database, \(path)")
        return path
    }

    private func sealer(_ reader: ConfigReader, isNeeded: Bool) throws -> TokenSealer? {
        do {
            return try AccountsServerConfiguration.sealer(reader: reader)
        } catch {
            guard isNeeded else { return nil }
            throw CommandFailure("\(error.variable) \(error.message)", hint: error.fix)
        }
    }

    private func explaining<Answer>(
        _ database: DatabaseAddress,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch let error as AdministrationSocketError {
            throw CommandFailure(
                error.description,
                hint: "run the server and this command in the database's folder"
            )
        } catch let error as AccountStoreError {
            throw CommandFailure(error.hint, hint: database.hint(for: error))
        }
    }
}

/// The administration of a database by this process: a file that no server has open, or PostgreSQL.
struct OwnAdministration: Sendable {
    let sealer: TokenSealer
    let rules: AccountsConfiguration

    /// Serves the routes while a body uses them.
    func serve<Answer: Sendable>(
        _ database: DatabaseAddress,
        _ body: @Sendable (AdministrationClient) async throws -> Answer
    ) async throws -> Answer {
        let logger = ProgramLogger.make("siwa.administration")
        switch database {
        case .sqlite(let path):
            let store = try AccountStore(
                SQLiteDatabase(path: path, migrates: false, logger: logger)
            )
            return try await serve(store, besides: path, logger, body)
        case .postgreSQL(let settings):
            let store = try await AccountStore(
                PostgreSQLDatabase(
                    settings,
                    migrates: false,
                    logger: logger
                )
            )
            // No other process needs this socket.
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "siwa-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            defer { try? FileManager.default.removeItem(at: folder) }
            return try await serve(store, besides: folder.appending(path: "s").path, logger, body)
        }
    }

    private func serve<Answer: Sendable>(
        _ store: AccountStore,
        besides path: String,
        _ logger: Logger,
        _ body: @Sendable (AdministrationClient) async throws -> Answer
    ) async throws -> Answer {
        // The command itself prints what it has done.
        var quiet = logger
        quiet.logLevel = .warning
        let accounts = AccountsService(
            store: store,
            sealer: sealer,
            configuration: rules,
            logger: quiet
        )
        let socket = try AdministrationSocket.path(besides: path)
        quiet.logLevel = .critical
        let answer = await Result.awaiting {
            try await Program.run(logger: quiet) { onReady in
                try AdministrationSocket(
                    besides: path,
                    accounts: accounts,
                    logger: logger,
                    onReady: onReady
                )
            } during: { (problem: AdministrationSocketError?) in
                if let problem { throw problem }
                return try await body(AdministrationClient(socketPath: socket))
            }
        }
        // There may be no server that does this soon.
        try await store.wipeTraces()
        guard let answer = try answer.get() else {
            throw CommandFailure("can't create the database's socket at \(socket)")
        }
        return answer
    }
}

extension DatabaseAddress {
    /// A hint if the database is unavailable or SQLite fails; other errors explain themselves.
    fileprivate func hint(for error: AccountStoreError) -> String? {
        guard error.kind == .unavailable || error.hint.hasPrefix("SQLite: ") else { return nil }
        return switch self {
        case .sqlite: "check the file, its folder, and their owner"
        case .postgreSQL: "check the database's URL, and try it with psql"
        }
    }
}
