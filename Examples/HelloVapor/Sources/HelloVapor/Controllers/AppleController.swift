import Fluent
import SignInWithApple
import Vapor

/// Signing in with Apple, and what Apple tells about people.
struct AppleController: RouteCollection {
    /// Safari posts some callbacks twice, at once.
    private static let repetitionSeconds: TimeInterval = 60

    let settings: Settings

    func boot(routes: any RoutesBuilder) throws {
        let web = WebFlow(
            servicesID: Settings.servicesID,
            redirectURI: settings.publicURL + "/auth/apple/callback",
            sealer: settings.sealer,
            cancelPath: "/log-in"
        )
        let native = NativeEndpoint(clientIDs: [Settings.appID])
        let signInRoutes: [SignInRoute<Request>] = try settings.apple.signInRoutes(
            web: web,
            native: native,
            onRepeatedCallback: signInAgain,
            onSignIn: signIn
        )
        routes.register(signInRoutes)
        routes.register([settings.apple.notificationRoute(onNotification: act)])
    }

    /// Finds or makes the person, and signs the browser or the app in.
    @Sendable func signIn(
        _ signIn: CompletedSignIn,
        _ request: Request
    ) async throws -> SignInAnswer {
        switch signIn.origin {
        case .native:
            let session = SignInSession()
            _ = try await opened(for: signIn, token: session.token, request)
            return .session(session)
        case .web(let returnPath):
            try await request.signIn(opened(for: signIn, token: nil, request))
            return .response(.redirect(to: returnPath))
        }
    }

    /// Two first sign-ins at once make one person: the one who comes second finds the other's row.
    private func opened(
        for signIn: CompletedSignIn,
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

    /// Replaces the session of a callback that the browser posts once more.
    @Sendable func signInAgain(
        _ signIn: VerifiedSignIn,
        _ request: Request
    ) async throws -> SignInAnswer? {
        let earliest = Date(timeIntervalSinceNow: -Self.repetitionSeconds)
        guard case .web(let returnPath) = signIn.origin, let nonce = signIn.nonce,
            let first = try await UserSession.query(on: request.db)
                .filter(\.$nonceHash == Hash.of(nonce))
                .filter(\.$createdAt > earliest)
                .first()
        else { return nil }
        let second = try await first.replaced(on: request.db)
        try await request.signIn(second)
        return .response(.redirect(to: returnPath))
    }

    /// Acts once on each notification: what is remembered and what is changed are one transaction.
    @Sendable func act(
        on notification: VerifiedNotification,
        _ request: Request
    ) async throws {
        try await request.db.transaction { database in
            let user = try await User.locked(notification.issuer, notification.user, on: database)
            let id = notification.notificationID
            guard try await HandledNotification.find(id, on: database) == nil else { return }
            try await user?.act(on: notification.event, on: database)
            try await HandledNotification(id: id, expiresAt: notification.expirationTime)
                .create(on: database)
        }
    }
}

extension Request {
    /// Gives the browser a new session: nobody who knew the identifier from before is signed in by it.
    func signIn(_ userSession: UserSession) async throws {
        if hasSession, let id = session.id {
            if let previous = session.authenticated(UserSession.self) {
                try await UserSession.query(on: db).filter(\.$id == previous).delete()
            }
            try await application.sessions.driver.deleteSession(id, for: self).get()
            session.id = nil
            session.data = SessionData()
        }
        session.authenticate(userSession)
    }
}
