import Fluent
import Vapor

/// Finds an app's person by the token that `POST /auth/apple/native` answered.
struct AppAuthenticator: AsyncBearerAuthenticator {
    func authenticate(bearer: BearerAuthorization, for request: Request) async throws {
        let session = try await UserSession.current(on: request.db)
            .filter(\.$tokenHash == Hash.of(bearer.token))
            .first()
        if let session { request.auth.login(session) }
    }
}
