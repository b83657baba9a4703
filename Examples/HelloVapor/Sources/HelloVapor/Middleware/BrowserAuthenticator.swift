import Fluent
import Vapor

/// Finds a browser's person by Vapor's session.
struct BrowserAuthenticator: AsyncSessionAuthenticator {
    typealias User = UserSession

    func authenticate(sessionID: UUID, for request: Request) async throws {
        let session = try await UserSession.current(on: request.db)
            .filter(\.$id == sessionID)
            .first()
        if let session { request.auth.login(session) }
    }
}
