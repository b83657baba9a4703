import Foundation
import Logging
import SignInWithApple

/// The routes of Sign in with Apple behind any HTTP server.
struct AppleSite: Sendable {
    let web: WebFlow
    /// Revokes the tokens of deleted accounts, and asks Apple about each user once a day: run it beside your server.
    let tokens: AppleTokens<DemoAppleTokenStore>
    private(set) var routes: [SignInRoute<Void>]
    private let accounts: Accounts
    private let store: DemoAppleTokenStore
    private let logger = Logger(label: "sign-in")

    init(
        _ apple: AppleSignIn,
        _ accounts: Accounts,
        _ store: DemoAppleTokenStore,
        sealer: TokenSealer,
        url: String
    ) throws {
        let tokens = AppleTokens(apple, store: store, sealer: sealer) { user, _, _ in
            await accounts.signOut(user)
        }
        (self.tokens, self.accounts, self.store) = (tokens, accounts, store)
        web = WebFlow(redirectURI: url + "/auth/apple/callback", sealer: sealer)
        routes = try apple.signInRoutes(
            web: web,
            native: NativeEndpoint(),
            onSignIn: { signIn, _ in
                try await tokens.keep(signIn, in: store)
                return .session(await accounts.open(signIn))
            }
        )
        routes.append(
            apple.notificationRoute { notification, _ in
                let event = try await tokens.handle(notification, in: store)
                switch event?.kind {
                case .consentRevoked: await accounts.signOut(notification.userID)
                case .accountDeleted, .accountDelete: await accounts.delete(notification.userID)
                default: break
                }
            }
        )
    }

    /// Deletes the account, and ends the app's access at Apple.
    func delete(_ user: UserID) async throws {
        try await tokens.queueRevocations(of: user, in: store)
        await accounts.delete(user)
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
