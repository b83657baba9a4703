import Fluent
import Vapor

/// The same for apps, with the token that `POST /auth/apple/native` answered.
struct APIController: RouteCollection {
    let settings: Settings

    func boot(routes: any RoutesBuilder) throws {
        routes.get("account") { try AccountView(of: $0) }
        routes.delete("session", use: signOut)
        routes.delete("account", use: delete)
    }

    @Sendable func signOut(_ request: Request) async throws -> HTTPStatus {
        try await request.auth.require(UserSession.self).delete(on: request.db)
        return .noContent
    }

    @Sendable func delete(_ request: Request) async throws -> HTTPStatus {
        let user = try request.auth.require(UserSession.self).user
        try await user.deleteAccount(on: request.db)
        await AppleJobs(settings: settings).revokeWaiting(on: request.db, request.logger)
        return .noContent
    }
}
