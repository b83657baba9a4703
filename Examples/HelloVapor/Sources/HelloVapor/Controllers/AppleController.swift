import Fluent
import SignInWithApple
import Vapor

/// Signing in with Apple, in a browser or from an app.
struct AppleController: RouteCollection {
    /// Safari posts some callbacks twice at once.
    private static let repetitionSeconds: TimeInterval = 60

    let settings: Settings

    func boot(routes: any RoutesBuilder) throws {
        var web = WebFlow(
            redirectURI: settings.publicURL + "/auth/apple/callback",
            sealer: settings.sealer,
            cancelPath: "/log-in"
        )
        web.sessionCookieName = settings.sessionCookieName
        let native = NativeEndpoint()
        let signInRoutes: [SignInRoute<Request>] = try settings.apple.signInRoutes(
            web: web,
            native: native,
            onRefusal: refuse,
            onError: { error, _ in SignInResponse(error) },
            onRepeatedCallback: signInAgain,
            onSignIn: signIn
        )
        routes.register(signInRoutes)
    }

    /// A callback whose state is not this browser's is unauthorized; the library answers the rest.
    @Sendable func refuse(
        _ refusal: RefusedSignIn,
        _ received: SignInRequest,
        _ request: Request
    ) async throws -> SignInResponse? {
        guard [.stateMissing, .stateMismatch].contains(refusal.code) else { return nil }
        var refusal = refusal
        refusal.status = .unauthorized
        return refusal.response(to: received)
    }

    /// Finds or creates the person, and signs the browser or the app in.
    @Sendable func signIn(
        _ signIn: VerifiedSignIn,
        _ request: Request
    ) async throws -> SignInAnswer {
        guard let returnPath = signIn.returnPath else {
            let session = WebSession(lifetime: .seconds(SessionsConfiguration.lifetime))
            _ = try await opened(for: signIn, token: session.token, request)
            return .session(session)
        }
        let session = try await opened(for: signIn, token: nil, request)
        try await request.signIn(session, replacing: signIn.previousSessionToken)
        return .response(.redirect(to: returnPath))
    }

    /// Two first sign-ins at once create one person: the second finds the row of the first.
    private func opened(
        for signIn: VerifiedSignIn,
        token: String?,
        _ request: Request
    ) async throws -> UserSession {
        let open = { @Sendable in
            try await UserSession.open(for: signIn, token: token, settings.sealer, on: request.db)
        }
        do {
            return try await open()
        } catch let error as any DatabaseError where error.isConstraintFailure {
            return try await open()
        }
    }

    /// Replaces the session of a callback that the browser posts again.
    @Sendable func signInAgain(
        _ signIn: VerifiedSignIn,
        _ request: Request
    ) async throws -> SignInAnswer? {
        let earliest = Date(timeIntervalSinceNow: -Self.repetitionSeconds)
        guard let returnPath = signIn.returnPath, let nonce = signIn.nonce,
            let first = try await UserSession.query(on: request.db)
                .filter(\.$nonceHash == Hash.of(nonce))
                .filter(\.$createdAt > earliest)
                .first()
        else { return nil }
        let second = try await first.replaced(on: request.db)
        try await request.signIn(second, replacing: signIn.previousSessionToken)
        return .response(.redirect(to: returnPath))
    }
}

extension Request {
    /// Gives the browser a session with a new identifier, since an attacker may know the old one.
    func signIn(_ userSession: UserSession, replacing previous: String?) async throws {
        let known = [previous.map(SessionID.init), session.id].compactMap { $0 }
        for id in Set(known) { try await end(id) }
        session.id = nil
        session.data = SessionData()
        session.authenticate(userSession)
    }

    /// Ends Vapor's session.
    func signOut() {
        auth.logout(UserSession.self)
        session.destroy()
    }

    private func end(_ id: SessionID) async throws {
        let driver = application.sessions.driver
        guard let data = try await driver.readSession(id, for: self).get() else { return }
        if let userSession = Session(id: id, data: data).authenticated(UserSession.self) {
            try await UserSession.query(on: db).filter(\.$id == userSession).delete()
        }
        try await driver.deleteSession(id, for: self).get()
    }
}
