import Fluent
import Vapor

/// The page of a signed-in person.
struct AccountController: RouteCollection {
    struct NewName: Content {
        let name: String
    }

    private static let maximumNameCharacterCount = 200

    func boot(routes: any RoutesBuilder) throws {
        routes.get("account") { request in
            try await request.view.render("account", AccountView(of: request))
        }
        routes.post("account", "name", use: rename)
        routes.post("sign-out", use: signOut)
    }

    @Sendable func rename(_ request: Request) async throws -> Response {
        let user = try request.auth.require(UserSession.self).user
        let name = try request.content.decode(NewName.self).name
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.count <= Self.maximumNameCharacterCount else {
            throw Abort(.unprocessableEntity, reason: "A name has 1 to 200 characters.")
        }
        user.name = name
        user.isNameSuggested = false
        try await user.update(on: request.db)
        return request.redirect(to: "/account")
    }

    @Sendable func signOut(_ request: Request) async throws -> Response {
        try await request.auth.require(UserSession.self).delete(on: request.db)
        request.signOut()
        return request.redirect(to: "/")
    }
}

/// What pages and apps show about the person.
struct AccountView: Content {
    let name: String?
    let isNameSuggested: Bool
    let email: String?
    let isMailForwarded: Bool

    init(of request: Request) throws {
        let user = try request.auth.require(UserSession.self).user
        name = user.name
        isNameSuggested = user.isNameSuggested
        email = user.email
        isMailForwarded = user.isMailForwarded
    }
}
