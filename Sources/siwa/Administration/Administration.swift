import Accounts
import AccountsSQLite
import AccountsServer
import ArgumentParser
import Configuration
import Foundation
import Logging
import ServiceLifecycle
import SignInWithApple

/// Which database a command is about.
struct DatabaseOptions: ParsableArguments {
    @Option(help: "A YAML or JSON file of SIWA_… settings; the environment overrides it.")
    var config: String?

    @Option(help: "The database, such as sqlite:siwa.sqlite; overrides SIWA_DATABASE_URL.")
    var database: String?

    /// Lends a client of the process that has the database open.
    ///
    /// When none has, this one opens it and serves the same routes while the body works.
    ///
    /// - Parameters:
    ///   - needsKeys: whether the body can do nothing without the sealing keys.
    ///   - body: what to do.
    /// - Returns: what the body returns.
    /// - Throws: ``CommandFailure``, and what the body throws.
    func withClient<Answer: Sendable>(
        needingKeys needsKeys: Bool = false,
        _ body: @Sendable (AdministrationClient) async throws -> Answer
    ) async throws -> Answer {
        let flags = database.map { ["SIWA_DATABASE_URL": $0] } ?? [:]
        let reader = try await ServerSettings.reader(flags: flags, file: config)
        let path = try path(reader)
        guard !SQLiteAccountStore.isOpen(path: path) else {
            return try await explaining {
                try await body(
                    AdministrationClient(socketPath: AdministrationSocket.path(besides: path))
                )
            }
        }
        let sealer = try sealer(reader, isNeeded: needsKeys)
        var rules = AccountsConfiguration()
        rules.hasMail = sealer != nil && AccountsServerConfiguration.hasMail(reader: reader)
        // Without keys of the server's, nothing that the command does seals or opens anything.
        let administration = OwnAdministration(
            path: path,
            sealer: try sealer ?? TokenSealer(keys: TokenSealer.makeKey(identifier: "unused")),
            rules: rules
        )
        return try await explaining { try await administration.serve(body) }
    }

    private func path(_ reader: ConfigReader) throws -> String {
        let address: DatabaseAddress
        do {
            address = try DatabaseAddress(reader: reader)
        } catch {
            throw CommandFailure("\(error.variable) \(error.message)", hint: error.fix)
        }
        switch address {
        case .sqlite(let path):
            guard FileManager.default.fileExists(atPath: path) else {
                throw CommandFailure(
                    "there is no database at \(path)",
                    hint: "give --database sqlite:PATH, or set SIWA_DATABASE_URL"
                )
            }
            return path
        }
    }

    private func sealer(_ reader: ConfigReader, isNeeded: Bool) throws -> TokenSealer? {
        do {
            return try AccountsServerConfiguration.sealer(reader: reader)
        } catch {
            guard isNeeded else { return nil }
            throw CommandFailure("\(error.variable) \(error.message)", hint: error.fix)
        }
    }

    private func explaining<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch let error as AdministrationSocketError {
            throw CommandFailure(
                error.description,
                hint: "give the database a shorter path, or a symbolic link to its folder's"
            )
        } catch let error as AccountStoreError {
            throw CommandFailure(error.hint, hint: "check the file, its folder, and who owns them")
        }
    }
}

/// The administration of a database that no server has open, in this process.
struct OwnAdministration: Sendable {
    let path: String
    let sealer: TokenSealer
    let rules: AccountsConfiguration

    /// Serves the routes while a body works with them.
    func serve<Answer: Sendable>(
        _ body: @Sendable (AdministrationClient) async throws -> Answer
    ) async throws -> Answer {
        let logger = ProgramLogger.make("siwa.administration")
        let store = try SQLiteAccountStore(path: path, logger: logger)
        let (ready, continuation) = AsyncStream<AdministrationSocketError?>.makeStream()
        let socket = try AdministrationSocket(
            besides: path,
            accounts: AccountsService(
                store: store,
                sealer: sealer,
                configuration: rules,
                logger: logger
            ),
            logger: logger,
            onReady: { problem in
                continuation.yield(problem)
                continuation.finish()
            }
        )
        var quiet = logger
        quiet.logLevel = .critical
        let group = ServiceGroup(services: [socket], logger: quiet)
        async let serving: Void = {
            defer { continuation.finish() }
            try await group.run()
        }()
        for await problem in ready {
            if let problem { throw problem }
            let answer = try await body(AdministrationClient(socketPath: socket.path))
            await group.triggerGracefulShutdown()
            try await serving
            // No server will do it soon.
            try await store.wipeTraces()
            return answer
        }
        try await serving
        throw CommandFailure("the database's socket can't be made at \(socket.path)")
    }
}
