import Fluent
import Vapor

/// Deletes the account from a page of this server.
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
    /// Deletes the person in one write, which leaves the tokens without a user, and asks Apple to revoke them.
    ///
    /// If Apple does not answer now, the worker tries again.
    func deleteAccount(_ settings: Settings) async throws {
        let user = try auth.require(UserSession.self).user
        try await user.delete(on: db)
        await AppleWorker(settings: settings).revokeWaiting(of: user, on: db, logger)
    }
}
