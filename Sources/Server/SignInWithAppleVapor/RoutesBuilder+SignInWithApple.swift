#if Vapor
    import AppleIdentity
    import NIOHTTP1
    import SignInWithApple
    import Vapor

    extension RoutesBuilder {
        /// Adds the routes for Sign in with Apple, for browsers, apps, or both.
        ///
        /// The routes are described at `AppleSignIn.signInRoutes`. An `AbortError` of your functions becomes the response,
        /// with a `resumeToken` for an app. Add them outside of ``SameOriginMiddleware``: Apple's page posts the callback
        /// from another site, and its `state` protects it.
        ///
        /// - Parameters:
        ///   - apple: the `AppleSignIn`. It needs the team's key, unless only apps sign in and
        ///     `NativeEndpoint.requiresCode` is false.
        ///   - path: the path of the first route, a prefix of the others, below this builder's path.
        ///   - web: the settings for browsers; nil for no web routes.
        ///   - native: the settings for apps; nil for no native routes.
        ///   - beforeExchange: called when the sign-in is verified, before its code is exchanged. It is called again when
        ///     the request is repeated.
        ///   - onRefusal: creates the response to an error; after nil, or without this function, it is a plain page or a
        ///     problem document.
        ///   - onRepeatedCallback: called when the same browser posts a callback again after it signed the user in; needed
        ///     if you respond with `.response`, or with several servers.
        ///   - onSignIn: finds or creates the account, and returns the response.
        /// - Throws: `configuration_invalid` or `client_secret_key_invalid`, as `AppleSignIn.signInRoutes` describes.
        public func signInWithApple(
            _ apple: AppleSignIn,
            at path: String = "auth/apple",
            web: WebFlow? = nil,
            native: NativeEndpoint? = nil,
            beforeExchange: (@Sendable (VerifiedSignIn, Request) async throws -> Void)? = nil,
            onRefusal: (@Sendable (RefusedSignIn, Request) async throws -> Response?)? = nil,
            onRepeatedCallback: (
                @Sendable (VerifiedSignIn, Request) async throws -> SignInAnswer?
            )? =
                nil,
            onSignIn: @escaping @Sendable (VerifiedSignIn, Request) async throws -> SignInAnswer
        ) throws(SignInError) {
            let routes: [SignInRoute<Request>] = try apple.signInRoutes(
                at: path,
                web: web,
                native: native,
                beforeExchange: beforeExchange,
                onRefusal: responding(onRefusal),
                onError: { error, request in
                    request.logger.report(error: error)
                    return SignInResponse(error)
                },
                onRepeatedCallback: onRepeatedCallback,
                onSignIn: onSignIn
            )
            for route in routes { add(route) }
        }

        /// Adds the route that receives Apple's server-to-server notifications.
        ///
        /// - Parameters:
        ///   - apple: the `AppleSignIn`, with all clients whose notifications arrive at this URL.
        ///   - path: the route's path, below this builder's path.
        ///   - onNotification: processes the notification; if it throws, Apple gets status 503 and can send it again.
        public func signInWithAppleNotifications(
            _ apple: AppleSignIn,
            at path: String = "auth/apple/notifications",
            onNotification: @escaping @Sendable (VerifiedNotification, Request) async throws -> Void
        ) {
            add(apple.notificationRoute(at: path, onNotification: onNotification))
        }

        private func responding(
            _ onRefusal: (@Sendable (RefusedSignIn, Request) async throws -> Response?)?
        ) -> (@Sendable (RefusedSignIn, SignInRequest, Request) async throws -> SignInResponse?)? {
            guard let onRefusal else { return nil }
            return { refusal, _, request in
                guard let response = try await onRefusal(refusal, request) else { return nil }
                return try await SignInResponse(response, for: request)
            }
        }

        private func add(_ route: SignInRoute<Request>) {
            on(
                HTTPMethod(rawValue: route.method.rawValue),
                route.path.pathComponents,
                body: .collect(maxSize: ByteCount(value: route.maximumBodyByteCount))
            ) { request in
                let response = try await route.respond(
                    to: SignInRequest(request),
                    context: request,
                    logger: request.logger
                )
                return Response(response)
            }
        }
    }
#endif
