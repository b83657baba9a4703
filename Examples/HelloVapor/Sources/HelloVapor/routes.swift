import Fluent
import SignInWithAppleVapor
import Vapor

func routes(_ app: Application, _ settings: Settings) throws {
    let tokens = appleTokens(app, settings)
    let callback = settings.publicURL + "/auth/apple/callback"
    let web = WebFlow(redirectURI: callback, sealer: settings.sealer)
    try app.signInWithApple(settings.apple, web: web, native: NativeEndpoint()) { signIn, request in
        try await request.db.transaction { database in
            let session = try await User.open(signIn, on: database)
            try await tokens.keep(signIn, in: SQLAppleTokenStore(database: database))
            return .session(session)
        }
    }
    app.signInWithAppleNotifications(settings.apple) { notification, request in
        try await request.db.transaction { database in
            let store = SQLAppleTokenStore(database: database)
            guard let event = try await tokens.handle(notification, in: store) else { return }
            try await User.act(on: event, on: database)
        }
    }

    let people = app.grouped(
        WebSessionAuthenticator(web) { try await UserSession.user($0, on: $1.db) }
    )
    let pages = people.grouped(SameOriginMiddleware(publicURL: settings.publicURL))
    pages.get { try await $0.view.render("start", ["user": $0.auth.get(User.self)]) }
    let signedIn = pages.grouped(User.redirectMiddleware(path: "/"))
    signedIn.get("account") { request in
        try await request.view.render("account", ["user": request.auth.require(User.self)])
    }
    signedIn.post("account", "name") { request in
        try await request.auth.require(User.self).rename(by: request)
        return request.redirect(to: "/account")
    }
    signedIn.post("sign-out") { request in
        try await UserSession.end(web.sessionToken(of: request), on: request.db)
        let response = request.redirect(to: "/")
        web.addClearedSessionCookie(to: response, for: request)
        return response
    }
    signedIn.get("account", "delete") { try await $0.view.render("delete") }
    signedIn.post("account", "delete") { request in
        try await request.auth.require(User.self).delete(tokens, on: request.db)
        return request.redirect(to: "/")
    }

    let api = people.grouped("api", "account").grouped(User.guardMiddleware())
    api.get { try $0.auth.require(User.self) }
    api.delete { request in
        try await request.auth.require(User.self).delete(tokens, on: request.db)
        return HTTPStatus.noContent
    }
}
