#if Vapor
    import AccountsAccessTokens
    import HTTPTypes
    import SignInWithApple
    import Vapor

    /// Rejects requests without a valid access token of your accounts server.
    ///
    /// A route finds the token with `request.auth.require(VerifiedAccessToken.self)`. A request without a valid token gets
    /// status 401. If the server's keys cannot be fetched, it gets 503.
    ///
    /// Source: [RFC 6750, section 3](https://www.rfc-editor.org/rfc/rfc6750#section-3)
    public struct AccessTokenMiddleware: AsyncMiddleware {
        private let verifier: AccessTokenVerifier

        /// Creates the middleware.
        ///
        /// - Parameter verifier: verifies the tokens for this service.
        public init(_ verifier: AccessTokenVerifier) { self.verifier = verifier }

        /// Verifies the token, and calls the next responder.
        public func respond(
            to request: Request,
            chainingTo next: any AsyncResponder
        ) async throws -> Response {
            do {
                let field = request.headers.first(name: .authorization)
                guard let token = try await verifier.verify(authorization: field) else {
                    throw Self.rejection(nil)
                }
                request.auth.login(token)
            } catch let error as SignInError where !error.isRetryable {
                throw Self.rejection(error)
            }
            return try await next.respond(to: request)
        }

        private static func rejection(_ error: SignInError?) -> Abort {
            Abort(
                .unauthorized,
                headers: ["WWW-Authenticate": AccessTokenVerifier.challenge(error)],
                reason: error?.message ?? "The request has no access token."
            )
        }
    }

    extension VerifiedAccessToken: Authenticatable {}

    /// Finds the user of a browser by the session cookie of the routes, and that of an app by its Bearer token.
    public struct WebSessionAuthenticator<User: Authenticatable>: AsyncMiddleware {
        private let web: WebFlow
        private let find: @Sendable (_ tokenHash: String, Request) async throws -> User?

        /// Creates the middleware.
        ///
        /// - Parameters:
        ///   - web: the flow of the routes.
        ///   - find: finds the user of a session that has not ended, by `WebSession.tokenHash`.
        public init(
            _ web: WebFlow,
            find: @escaping @Sendable (_ tokenHash: String, Request) async throws -> User?
        ) {
            self.web = web
            self.find = find
        }

        /// Signs the user of the request in, and calls the next responder.
        public func respond(
            to request: Request,
            chainingTo next: any AsyncResponder
        ) async throws -> Response {
            if let token = web.sessionToken(of: request),
                let user = try await find(WebSession.hash(of: token), request)
            {
                request.auth.login(user)
            }
            return try await next.respond(to: request)
        }
    }

    /// Rejects requests that change something and do not come from your own pages (CSRF).
    ///
    /// Add it to all routes of signed-in browsers, and not to those of ``Vapor/RoutesBuilder/signInWithApple(_:at:web:native:beforeExchange:onRefusal:onRepeatedCallback:onSignIn:)``.
    public struct SameOriginMiddleware: AsyncMiddleware {
        private let origin: String

        /// Creates the middleware.
        ///
        /// - Parameter publicURL: the URL of your site, of which scheme, host and port count.
        public init(publicURL: String) { origin = SiteOrigin(publicURL).serialized }

        /// Checks a request that is neither `GET` nor `HEAD` and has no Bearer token of an app, and calls the next responder.
        public func respond(
            to request: Request,
            chainingTo next: any AsyncResponder
        ) async throws -> Response {
            guard SignInRequest(request).head.mayChange(at: origin) else {
                throw Abort(.crossSiteRequest)
            }
            return try await next.respond(to: request)
        }
    }

    extension SessionsConfiguration {
        /// Vapor's sessions with a cookie that scripts and other sites cannot read; by default scripts can.
        ///
        /// Only for a server with sessions of its own. Set `WebFlow.sessionCookieName` to the name of this cookie.
        ///
        /// - Parameters:
        ///   - publicURL: the URL of your site. At https the cookie has the prefix `__Host-`.
        ///   - name: the name of the cookie without the prefix.
        ///   - lifetime: how long the browser keeps the cookie.
        /// - Returns: the configuration.
        public static func signInWithApple(
            publicURL: String,
            name: String = "session",
            lifetime: Duration
        ) -> SessionsConfiguration {
            let isSecure = SiteOrigin(publicURL).isSecure
            return SessionsConfiguration(cookieName: SiteCookies(at: publicURL).name(name)) { id in
                HTTPCookies.Value(
                    string: id.string,
                    maxAge: Int(lifetime / .seconds(1)),
                    isSecure: isSecure,
                    isHTTPOnly: true,
                    sameSite: .lax
                )
            }
        }
    }

    extension Request {
        /// Gives the browser a new session of Vapor's, without data (session fixation).
        ///
        /// Call it before you sign a user in: an attacker may know the identifier that the browser had.
        ///
        /// - Parameter previous: `VerifiedSignIn.previousSessionToken`, whose session ends.
        /// - Throws: an error of the session driver.
        public func renewSession(replacing previous: String?) async throws {
            let known = [previous.map { SessionID(string: $0) }, session.id].compactMap { $0 }
            for id in Set(known) {
                try await application.sessions.driver.deleteSession(id, for: self).get()
            }
            session.id = nil
            session.data = SessionData()
        }
    }
#endif
