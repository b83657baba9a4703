import Foundation
import Logging
import SignInWithApple

/// The routes of Sign in with Apple behind any HTTP server.
struct AppleSite: Sendable {
    let web: WebFlow
    private(set) var routes: [SignInRoute<Void>]
    let logger = Logger(label: "sign-in")

    init(_ apple: AppleSignIn, _ accounts: Accounts, url: String) throws {
        web = WebFlow(redirectURI: url + "/auth/apple/callback")
        routes = try apple.signInRoutes(
            web: web,
            native: NativeEndpoint(),
            onSignIn: { signIn, _ in .session(try await accounts.open(signIn)) }
        )
        routes.append(
            apple.notificationRoute { notification, _ in try await accounts.act(on: notification) }
        )
    }

    /// Answers a request for one of the routes; nil for every other request.
    func answer(
        _ method: String,
        _ target: String,
        _ headers: HTTPFields,
        _ body: Data
    ) async throws -> SignInResponse? {
        let request = SignInRequest(method: method, target: target, headers: headers, body: body)
        guard let route = routes.first(where: { $0.matches(request) }) else { return nil }
        return try await route.respond(to: request, context: (), logger: logger)
    }

    /// The session token that a browser or an app sends with any other request.
    func sessionToken(_ headers: HTTPFields) -> String? {
        let request = SignInRequest(method: "GET", target: "/", headers: headers, body: Data())
        return web.sessionToken(of: request.head)
    }
}
