import Fluent
import Vapor

/// Deleting the account, from a page of this server.
struct DeletionController: RouteCollection {
    let settings: Settings

    func boot(routes: any RoutesBuilder) throws {
        routes.get("account", "delete") { request in
            try await request.view.render("delete")
        }
        routes.post("account", "delete") { request in
            try await request.deleteAccount(settings)
            request.signOut()
            return request.redirect(to: "/")
        }
    }
}

extension Request {
    /// Deletes the person in one write, which leaves the tokens without one, and has Apple revoke them.
    ///
    /// The worker revokes what could not be revoked now.
    func deleteAccount(_ settings: Settings) async throws {
        try await auth.require(UserSession.self).user.delete(on: db)
        await AppleJobs(settings: settings).revokeWaiting(on: db, logger)
    }
}
