import AppleIdentity
import Hummingbird
import SignInWithApple

extension RouterMethods {
    /// Adds signing in with Apple: with a browser, from an app, or both.
    ///
    /// The routes are those of `AppleSignIn.signInRoutes`, which tells what they do. An `HTTPError` of your functions is
    /// your own answer.
    ///
    /// - Parameters:
    ///   - apple: the library's facade, with the team's key.
    ///   - path: where the routes are, from this router on.
    ///   - web: what signing in with a browser needs; nil for none.
    ///   - native: what signing in from an app needs; nil for none.
    ///   - beforeRedeeming: looks at a verified sign-in before its code is spent.
    ///   - onRefusal: writes a refusal in your own way; by default a plain page or a problem document.
    ///   - onRepeatedCallback: answers a callback that the same browser posts once more after it signed somebody in.
    ///   - onSignIn: finds or makes the account, and decides what is answered.
    /// - Returns: the router.
    /// - Throws: `configuration_invalid` or `client_secret_key_invalid` for what could never work.
    @discardableResult
    public func signInWithApple(
        _ apple: AppleSignIn,
        at path: String = "auth/apple",
        web: WebFlow? = nil,
        native: NativeEndpoint? = nil,
        beforeRedeeming: (@Sendable (VerifiedSignIn, Context) async throws -> Void)? = nil,
        onRefusal: (@Sendable (RefusedSignIn, Request, Context) async throws -> Response)? = nil,
        onRepeatedCallback: (@Sendable (VerifiedSignIn, Context) async throws -> SignInAnswer?)? =
            nil,
        onSignIn: @escaping @Sendable (CompletedSignIn, Context) async throws -> SignInAnswer
    ) throws(SignInError) -> Self {
        typealias Call = Received<Context>
        var look: (@Sendable (VerifiedSignIn, Call) async throws -> Void)?
        if let beforeRedeeming { look = { try await beforeRedeeming($0, $1.context) } }
        var refuse: (@Sendable (RefusedSignIn, SignInRequest, Call) async throws -> SignInResponse)?
        if let onRefusal {
            refuse = { refusal, _, call in
                try await SignInResponse(onRefusal(refusal, call.request, call.context))
            }
        }
        var answerRepeated: (@Sendable (VerifiedSignIn, Call) async throws -> SignInAnswer?)?
        if let onRepeatedCallback {
            answerRepeated = { try await onRepeatedCallback($0, $1.context) }
        }
        let routes: [SignInRoute<Call>] = try apple.signInRoutes(
            at: path,
            web: web,
            native: native,
            beforeRedeeming: look,
            onRefusal: refuse,
            onError: { error, call in
                guard let error = error as? any HTTPResponseError else { return nil }
                let response = try error.response(from: call.request, context: call.context)
                return try await SignInResponse(response)
            },
            onRepeatedCallback: answerRepeated,
            onSignIn: { try await onSignIn($0, $1.context) }
        )
        for route in routes { add(route, time: apple.time) }
        return self
    }

    /// Adds the address to which Apple posts its server-to-server notifications.
    ///
    /// The route is that of `AppleSignIn.notificationRoute`, which tells what it answers.
    ///
    /// - Parameters:
    ///   - apple: the library's facade, with all clients that share the address.
    ///   - path: where the route is, from this router on.
    ///   - onNotification: acts on what happened; when it throws, Apple is told that nothing was done.
    /// - Returns: the router.
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

/// A request as Hummingbird has it.
private struct Received<Context> {
    let request: Request
    let context: Context
}
