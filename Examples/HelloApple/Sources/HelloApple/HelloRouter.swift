import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

/// People and their sessions, in memory.
actor Accounts {
    private var names: [UserID: String] = [:]
    private var sessions: [String: UserID] = [:]

    func open(_ signIn: VerifiedSignIn) -> WebSession {
        let session = WebSession()
        // Apple sends the name on the first sign-in only. A suggested one may be another person's.
        if let name = signIn.name, names[signIn.userID] == nil || !signIn.isNameSuggested {
            names[signIn.userID] = name.displayName
        }
        sessions[session.token] = signIn.userID
        signIn.previousSessionToken.map { sessions[$0] = nil }
        return session
    }

    func signOut(_ user: UserID) { sessions = sessions.filter { $0.value != user } }

    func delete(_ user: UserID) {
        signOut(user)
        names[user] = nil
    }

    func user(token: String?) throws -> UserID {
        guard let user = token.flatMap({ sessions[$0] }) else { throw HTTPError(.unauthorized) }
        return user
    }

    func name(of user: UserID) -> String { names[user] ?? "friend" }
}

/// The start page, which Cancel and a deletion also open.
private let startPage = """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Hello</title>
    <h1>Hello, stranger</h1>
    <p><a href="/auth/apple?return_to=/hello">Sign in with Apple</a></p>
    <form method="post" action="/delete"><button>Delete my account</button></form>
    """

/// The routes, and the service that keeps Apple's tokens.
struct Hello {
    let router = Router()
    let tokens: AppleTokens<DemoAppleTokenStore>

    init(
        apple: AppleSignIn,
        sealer: TokenSealer,
        store: DemoAppleTokenStore,
        publicURL: String
    ) throws {
        let accounts = Accounts()
        let tokens = AppleTokens(apple, store: store, sealer: sealer) { user, _, _ in
            await accounts.signOut(user)
        }
        self.tokens = tokens
        let web = WebFlow(redirectURI: publicURL + "/auth/apple/callback", sealer: sealer)
        try router.signInWithApple(apple, web: web, native: NativeEndpoint()) { signIn, _ in
            try await tokens.keep(signIn, in: store)
            return .session(await accounts.open(signIn))
        }
        router.signInWithAppleNotifications(apple) { notification, _ in
            let event = try await tokens.handle(notification, in: store)
            switch event?.kind {
            case .consentRevoked: await accounts.signOut(notification.userID)
            case .accountDeleted, .accountDelete: await accounts.delete(notification.userID)
            default: break
            }
        }
        router.get { _, _ in
            EditedResponse(headers: [.contentType: "text/html; charset=utf-8"], response: startPage)
        }
        router.get("hello") { request, _ in
            let user = try await accounts.user(token: web.sessionToken(of: request))
            return "Hello, \(await accounts.name(of: user))"
        }
        let pages = router.group().add(middleware: SameOriginMiddleware(publicURL: publicURL))
        pages.post("delete") { request, _ in
            let user = try await accounts.user(token: web.sessionToken(of: request))
            try await tokens.queueRevocations(of: user, in: store)
            await accounts.delete(user)
            return Response.redirect(to: "/")
        }
    }
}
