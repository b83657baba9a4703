import Fluent
import Vapor

/// Finds the person of an app by the token from `POST /auth/apple/native`.
struct AppAuthenticator: AsyncBearerAuthenticator {
    func authenticate(bearer: BearerAuthorization, for request: Request) async throws {
        let session = try await UserSession.current(on: request.db)
            .filter(\.$tokenHash == Hash.of(bearer.token))
            .first()
        if let session { request.auth.login(session) }
    }
}
