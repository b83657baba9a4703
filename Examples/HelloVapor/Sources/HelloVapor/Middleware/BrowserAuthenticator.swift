import Fluent
import Vapor

/// Finds the person of a browser by Vapor's session.
///
/// `UserSession.sessionAuthenticator()` would accept sessions that have ended, and load no user.
struct BrowserAuthenticator: AsyncSessionAuthenticator {
    /// What Vapor's protocol calls the user is a session here: deleting its row signs out.
    typealias User = UserSession

    func authenticate(sessionID: UUID, for request: Request) async throws {
        let session = try await UserSession.current(on: request.db)
            .filter(\.$id == sessionID)
            .first()
        if let session { request.auth.login(session) }
    }
}
