import Fluent
import Vapor

/// The account for apps.
struct APIController: RouteCollection {
    let settings: Settings

    func boot(routes: any RoutesBuilder) throws {
        routes.get("account") { try AccountView(of: $0) }
        routes.delete("account") { request in
            try await request.deleteAccount(settings)
            return HTTPStatus.noContent
        }
        routes.delete("session") { request in
            try await request.auth.require(UserSession.self).delete(on: request.db)
            return HTTPStatus.noContent
        }
    }
}
