import AppleIdentity
import Hummingbird
import SignInWithApple

extension RouterMethods {
    /// Adds the routes for Sign in with Apple, for browsers, apps, or both.
    ///
    /// The routes are described at `AppleSignIn.signInRoutes`. An `HTTPError` of your functions becomes the
    /// response, with a `resumeToken` for an app.
    ///
    /// - Parameters:
    ///   - apple: the `AppleSignIn`. It needs the team's key, unless only apps sign in and
    ///     `NativeEndpoint.requiresCode` is false.
    ///   - path: the path of the first route, a prefix of the others, below this router's path.
    ///   - web: the settings for browsers; nil for no web routes.
    ///   - native: the settings for apps; nil for no native routes.
    ///   - beforeExchange: called when the sign-in is verified, before its code is exchanged. It is called again when
    ///     the request is repeated, and when Apple rejects an app's code: another server may have exchanged it.
    ///   - onRefusal: creates the response to an error; after nil, or without this function, it is a plain page or a
    ///     problem document.
    ///   - onRepeatedCallback: called when the same browser posts a callback again after it signed the user in. It
    ///     returns the response, or nil if no session belongs to this sign-in. Without this function, a server sends its
    ///     own `SignInAnswer.session` again, for a minute.
    ///   - onSignIn: finds or creates the account, and returns the response.
    /// - Returns: this router.
    /// - Throws: `configuration_invalid` if neither `web` nor `native` is set, `native` has no client IDs or no usable
    ///   `redirectOrigins` for its Services IDs, a client is not configured, codes are exchanged and no key is configured, or a redirect URI is not valid for `path`;
    ///   `client_secret_key_invalid` if the key cannot sign.
    @discardableResult
    public func signInWithApple(
        _ apple: AppleSignIn,
        at path: String = "auth/apple",
        web: WebFlow? = nil,
        native: NativeEndpoint? = nil,
        beforeExchange: (@Sendable (VerifiedSignIn, Context) async throws -> Void)? = nil,
        onRefusal: (@Sendable (RefusedSignIn, Request, Context) async throws -> Response?)? = nil,
        onRepeatedCallback: (@Sendable (VerifiedSignIn, Context) async throws -> SignInAnswer?)? =
            nil,
        onSignIn: @escaping @Sendable (VerifiedSignIn, Context) async throws -> SignInAnswer
    ) throws(SignInError) -> Self {
        typealias Call = Received<Context>
        let routes: [SignInRoute<Call>] = try apple.signInRoutes(
            at: path,
            web: web,
            native: native,
            beforeExchange: Call.calling(beforeExchange),
            onRefusal: Call.responding(onRefusal),
            onError: { error, call in
                guard let error = error as? any HTTPResponseError else { return nil }
                let response = try error.response(from: call.request, context: call.context)
                return try await SignInResponse(response)
            },
            onRepeatedCallback: Call.calling(onRepeatedCallback),
            onSignIn: { try await onSignIn($0, $1.context) }
        )
        for route in routes { add(route, time: apple.time) }
        return self
    }

    /// Adds the route that receives Apple's server-to-server notifications.
    ///
    /// The route is described at `AppleSignIn.notificationRoute`.
    ///
    /// - Parameters:
    ///   - apple: the `AppleSignIn`, with all clients whose notifications arrive at this URL.
    ///   - path: the route's path, below this router's path.
    ///   - onNotification: processes the notification; if it throws, Apple gets status 503, even for an `HTTPError`; a
    ///     `RefusalError` has its own status.
    /// - Returns: this router.
    @discardableResult
    public func signInWithAppleNotifications(
        _ apple: AppleSignIn,
        at path: String = "auth/apple/notifications",
        onNotification: @escaping @Sendable (VerifiedNotification, Context) async throws -> Void
    ) -> Self {
        let route: SignInRoute<Received<Context>> = apple.notificationRoute(at: path) {
            try await onNotification($0, $1.context)
        }
        add(route, time: apple.time)
        return self
    }

    private func add(_ route: SignInRoute<Received<Context>>, time: TimeSource) {
        on(RouterPath(route.path), method: route.method) { request, context in
            let answer = try await route.respond(
                to: request.signInRequest(time),
                context: Received(request: request, context: context),
                logger: context.logger
            )
            return Response(answer)
        }
    }
}

/// A request with Hummingbird's context.
private struct Received<Context> {
    let request: Request
    let context: Context

    /// The developer's function, which gets Hummingbird's context.
    static func calling<SignIn, Answer>(
        _ function: (@Sendable (SignIn, Context) async throws -> Answer)?
    ) -> (@Sendable (SignIn, Received) async throws -> Answer)? {
        guard let function else { return nil }
        return { try await function($0, $1.context) }
    }

    static func responding(
        _ onRefusal: (@Sendable (RefusedSignIn, Request, Context) async throws -> Response?)?
    ) -> (@Sendable (RefusedSignIn, SignInRequest, Received) async throws -> SignInResponse?)? {
        guard let onRefusal else { return nil }
        return { refusal, _, call in
            guard let response = try await onRefusal(refusal, call.request, call.context) else {
                return nil
            }
            return try await SignInResponse(response)
        }
    }
}
