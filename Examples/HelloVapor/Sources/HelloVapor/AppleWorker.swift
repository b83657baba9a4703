import Fluent
import SignInWithApple
import Vapor

/// Background work: revokes the tokens that deletions left, asks Apple about each person once a day, removes old rows.
struct AppleWorker: LifecycleHandler {
    private static let pause: Duration = .seconds(60)
    /// How many tokens one run sends to Apple.
    private static let batchCount = 100

    private struct Running: StorageKey {
        typealias Value = Task<Void, any Error>
    }

    let settings: Settings

    /// Starts with the server, which is Vapor's default command, and not with `migrate` or `routes`.
    func didBootAsync(_ app: Application) async throws {
        let command = app.environment.commandInput.arguments.first ?? "serve"
        guard command == "serve" || command.hasPrefix("-") else { return }
        app.storage[Running.self] = Task {
            while true {
                await revokeWaiting(on: app.db, app.logger)
                await validateDue(on: app.db, app.logger)
                await removeExpired(on: app.db, app.logger)
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    func shutdownAsync(_ app: Application) async {
        app.storage[Running.self]?.cancel()
        _ = await app.storage[Running.self]?.result
    }

    /// Revokes the tokens of deleted accounts, or of one; a token that Apple did not answer for stays for the next run.
    func revokeWaiting(of user: User? = nil, on database: any Database, _ logger: Logger) async {
        let waiting = RefreshToken.query(on: database).filter(\.$user.$id == nil)
        if let user {
            waiting.filter(\.$appleIssuer == user.appleIssuer)
                .filter(\.$appleUser == user.appleUser)
        }
        await each(of: waiting, logger) { token in
            // A person who has signed up again since then keeps the new consent.
            guard try await RefreshToken.find(token.id, on: database) != nil else { return }
            try await settings.apple.revoke(
                token.opened(by: settings.sealer),
                clientID: ClientID(token.clientID)
            )
            try await token.delete(on: database)
        }
    }

    /// Asks Apple about people whose next check is due, and signs out people who have left.
    func validateDue(on database: any Database, _ logger: Logger) async {
        let due = RefreshToken.query(on: database)
            .filter(\.$user.$id != nil)
            .filter(\.$nextCheckAt <= Date())
        await each(of: due, logger) { try await validate($0, on: database) }
    }

    func validate(_ token: RefreshToken, on database: any Database) async throws {
        let validation = try await settings.apple.validate(
            token.opened(by: settings.sealer),
            clientID: ClientID(token.clientID),
            nextCheck: token.nextCheckAt
        )
        guard validation.finding == .revoked else {
            token.nextCheckAt = validation.nextCheck ?? token.nextCheckAt
            try await token.update(on: database)
            if let error = validation.error { throw error }
            return
        }
        try await database.transaction { database in
            let user = UserID(token.appleUser)
            let locked = try await User.locked(token.appleIssuer, user, on: database)
            // A sign-in while Apple was asked has replaced the token.
            guard try await RefreshToken.find(token.id, on: database) != nil else { return }
            try await locked?.$sessions.query(on: database).delete()
            try await token.delete(on: database)
        }
    }

    /// Takes the tokens that wait longest first: failing ones don't hold up the others.
    private func each(
        of tokens: QueryBuilder<RefreshToken>,
        _ logger: Logger,
        _ step: (RefreshToken) async throws -> Void
    ) async {
        await noting(logger, "refresh tokens were not read") {
            for token in try await tokens.sort(\.$attemptedAt).limit(Self.batchCount).all() {
                await noting(logger, "a refresh token waits for the next run") {
                    token.attemptedAt = Date()
                    try await token.update(on: tokens.database)
                    try await step(token)
                }
            }
        }
    }

    private func removeExpired(on database: any Database, _ logger: Logger) async {
        await noting(logger, "old rows were not removed") {
            try await HandledNotification.query(on: database)
                .filter(\.$expiresAt < Date())
                .delete()
            try await UserSession.query(on: database)
                .filter(\.$createdAt < Date(timeIntervalSinceNow: -SessionsConfiguration.lifetime))
                .delete()
        }
    }

    private func noting(
        _ logger: Logger,
        _ message: Logger.Message,
        _ step: () async throws -> Void
    ) async {
        do {
            try await step()
        } catch {
            logger.warning(message, metadata: ["error": "\(error)"])
        }
    }
}
