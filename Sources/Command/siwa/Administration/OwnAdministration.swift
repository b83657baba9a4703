import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import AccountsServer
import AppleIdentity
import Foundation
import Logging
import SignInWithApple

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
