import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import AccountsServer
import ArgumentParser
import Configuration
import Foundation
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
