import Fluent
import SignInWithApple
import Vapor

/// What is done beside the requests: revoking what deletions left, and asking Apple about each person once a day.
struct AppleJobs: LifecycleHandler {
    private static let pause: Duration = .seconds(60)
    private static let day: TimeInterval = 86_400
    /// How many people are asked about in one run.
    private static let batchCount = 100

    private struct Worker: StorageKey {
        typealias Value = Task<Void, any Error>
    }

    let settings: Settings

    func didBootAsync(_ app: Application) async throws {
        app.storage[Worker.self] = Task {
            while true {
                await revokeWaiting(on: app.db, app.logger)
                await validateDue(on: app.db, app.logger)
                await removeExpired(on: app.db, app.logger)
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    func shutdownAsync(_ app: Application) async {
        app.storage[Worker.self]?.cancel()
        _ = await app.storage[Worker.self]?.result
    }

    /// Revokes the tokens of deleted accounts; one that Apple has not answered stays, and is tried again.
    func revokeWaiting(on database: any Database, _ logger: Logger) async {
        await noting(logger, "refresh tokens were not read") {
            let waiting = try await RefreshToken.query(on: database)
                .filter(\.$user.$id == nil)
                .all()
            for token in waiting {
                await noting(logger, "a token is not revoked yet") {
                    try await settings.apple.revoke(
                        token.opened(by: settings.sealer),
                        clientID: ClientID(token.clientID)
                    )
                    try await token.delete(on: database)
                }
            }
        }
    }

    /// Asks Apple about people whose tokens were checked more than a day ago, and signs out who has gone.
    func validateDue(on database: any Database, _ logger: Logger) async {
        await noting(logger, "refresh tokens were not read") {
            let due = try await RefreshToken.query(on: database)
                .filter(\.$user.$id != nil)
                .filter(\.$checkedAt <= Date(timeIntervalSinceNow: -Self.day))
                .sort(\.$checkedAt)
                .limit(Self.batchCount)
                .all()
            for token in due {
                await noting(logger, "a person is not checked") {
                    try await validate(token, on: database)
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

    private func validate(_ token: RefreshToken, on database: any Database) async throws {
        let validation = try await settings.apple.validate(
            token.opened(by: settings.sealer),
            clientID: ClientID(token.clientID),
            lastChecked: token.checkedAt
        )
        switch validation {
        case .fresh: return
        case .valid(_, let checkedAt):
            token.checkedAt = checkedAt
            try await token.update(on: database)
        case .revoked:
            if let user = try await token.$user.get(on: database) {
                try await user.$sessions.query(on: database).delete()
            }
            try await token.delete(on: database)
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
