import AppleIdentity
import Foundation
import HTTPTypes
import Logging

/// A route for Sign in with Apple that any HTTP server can register.
///
/// ``AppleSignIn/signInRoutes(at:web:native:beforeExchange:onRefusal:onError:onRepeatedCallback:onSignIn:)`` and
/// ``AppleSignIn/notificationRoute(at:onNotification:)`` create them.
public struct SignInRoute<Context>: Sendable {
    /// The HTTP method that the route accepts.
    public let method: HTTPRequest.Method
    /// The path, which begins with a slash and has no parameters.
    public let path: String
    /// The maximum size of the request's body, in bytes.
    public let maximumBodyByteCount: Int

    private let answer: @Sendable (SignInCall<Context>) async throws -> SignInResponse

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ maximumBodyByteCount: Int,
        _ answer: @escaping @Sendable (SignInCall<Context>) async throws -> SignInResponse
    ) {
        self.method = method
        self.path = "/" + path.trimmingCharacters(in: CharacterSet(charactersIn: "/"))
        self.maximumBodyByteCount = maximumBodyByteCount
        self.answer = answer
    }

    /// Whether a request is for this route, for servers without a router.
    ///
    /// - Parameter request: the request; its query does not matter.
    /// - Returns: whether method and path are the route's.
    public func matches(_ request: SignInRequest) -> Bool {
        request.head.method == method && request.head.targetPath == path
    }

    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: a request for this route.
    ///   - context: a value that is passed to your functions, such as the framework's request.
    ///   - logger: logs the rejected requests, with their hints.
    /// - Returns: the response, even to a rejected request.
    /// - Throws: an error of `onRefusal`, `onError` or `onRepeatedCallback`, and `CancellationError`.
    public func respond(
        to request: SignInRequest,
        context: Context,
        logger: Logger
    ) async throws -> SignInResponse {
        try await answer(
            SignInCall(request: request, context: context, logger: logger, route: path)
        )
    }
}

extension AppleSignIn {
    /// Creates the routes for Sign in with Apple, for browsers, apps, or both.
    ///
    /// | route | action |
    /// |---|---|
    /// | `GET path` | redirects a browser to Apple; `?return_to=/page` sets the page after the sign-in. Scripts, images and frames get 403 |
    /// | `POST path/callback` | receives Apple's response; the registered redirect URI must end with this path |
    /// | `POST path/callback/again` | receives the same response again, from the form of an error page |
    /// | `POST path/native` | receives the sign-in of an app |
    /// | `POST path/nonces` | creates a nonce for an app's sign-in, if ``NativeEndpoint/nonces`` is set |
    ///
    /// An app posts `{identityToken, authorizationCode?, redirectUri?, codeVerifier?, nonce?, fullName?, resumeToken?}`.
    /// All members are strings except `fullName`, an object `{givenName?, familyName?}`. Only a code of one of
    /// ``NativeEndpoint/servicesIDs`` has a `redirectUri`, and only one that was requested with PKCE a `codeVerifier`.
    /// The response to a new session has status 201 and the body `{token, expiresIn}`, with the lifetime in seconds.
    ///
    /// The response to an error is an HTML page if the request accepts `text/html`, else a problem document
    /// (RFC 9457). The error is logged. A `SignInError`, ``RefusedSignIn`` or other ``RefusalError`` of your functions
    /// is handled the same way. For any other error of your functions `onError` returns the response; without one it is
    /// 503 with the code `sign_in_unfinished`. The response to a form that leads to another origin, such as `onSignIn`'s
    /// redirect to an app, becomes a page with a refresh and a link, because browsers apply `form-action` to redirects.
    ///
    /// A failed sign-in can be repeated. Apple sends the name once and accepts a code once, so the client keeps the
    /// name and Apple's tokens, encrypted with the sealer of `native` or `web`, else with a key that is derived from the
    /// team's key. A browser keeps them in cookies; an app without cookies keeps the `resumeToken` of the JSON response
    /// and adds it to the same request. Every failed sign-in of an app has one: a response of yours that is not JSON
    /// becomes a problem document with its status. The error page has a button that posts Apple's response again. Within
    /// ten minutes your function is called again with the same name and tokens, for each repetition of an app:
    /// ``NativeEndpoint/requiresCode`` tells how to open one session only. A later sign-in still has the name.
    ///
    /// A server without the team's key does not exchange the code and stores nothing. Its apps must keep the name
    /// until they get status 201.
    ///
    /// - Parameters:
    ///   - path: the path of the first route, a prefix of the others.
    ///   - web: the settings for browsers; nil for no web routes.
    ///   - native: the settings for apps; nil for no native routes.
    ///   - beforeExchange: called when the sign-in is verified, before its code is exchanged. Store the name here, or
    ///     reject a used token. It is called again when the request is repeated, and when Apple rejects an app's code:
    ///     another server may have exchanged it.
    ///   - onRefusal: creates the response to an error; after nil, or without this function, it is a plain page or a
    ///     problem document.
    ///   - onError: creates the response to an error of your functions, in your framework's form; nil for unknown errors.
    ///   - onRepeatedCallback: called when the same browser posts a callback again after it signed the user in. Safari
    ///     posts some callbacks twice at once, and drops the first response with its session. Find the session by the
    ///     ``VerifiedSignIn/nonce``, for a minute at most, and return a new one in its place, or nil if there is none:
    ///     then the post is rejected, because Apple accepts a code once. Without this function, a server sends its own
    ///     ``SignInAnswer/session(_:)`` again, for a minute.
    ///   - onSignIn: finds or creates the account, and returns the response.
    /// - Returns: the routes.
    /// - Throws: `configuration_invalid` if neither `web` nor `native` is set, `native` has no client IDs, `web` no
    ///   Services ID, an ID is listed as both kinds, `native` has a Services ID without nonces, `redirectOrigins` is empty
    ///   with a Services ID or has one that is not an origin, a client is not configured, codes are exchanged and no key is configured, or a redirect URI is not
    ///   valid for `path`;
    ///   `client_secret_key_invalid` if the key cannot sign.
    public func signInRoutes<Context>(
        at path: String = "/auth/apple",
        web: WebFlow? = nil,
        native: NativeEndpoint? = nil,
        beforeExchange: (@Sendable (VerifiedSignIn, Context) async throws -> Void)? = nil,
        onRefusal: (
            @Sendable (RefusedSignIn, SignInRequest, Context) async throws -> SignInResponse?
        )? = nil,
        onError: (@Sendable (any Error, Context) async throws -> SignInResponse?)? = nil,
        onRepeatedCallback: (@Sendable (VerifiedSignIn, Context) async throws -> SignInAnswer?)? =
            nil,
        onSignIn: @escaping @Sendable (VerifiedSignIn, Context) async throws -> SignInAnswer
    ) throws(SignInError) -> [SignInRoute<Context>] {
        let check = MountCheck(apple: self)
        let native = native?.of(configuration)
        try check.check(web, native)
        let handler = SignInHandler(
            apple: self,
            web: web,
            nonces: native?.nonces,
            // Without the team's key no code is exchanged, and nothing is kept.
            sealer: configuration.key.map { native?.sealer ?? web?.sealer ?? $0.sealer },
            beforeExchange: beforeExchange,
            onRefusal: onRefusal,
            onError: onError,
            onRepeatedCallback: onRepeatedCallback,
            onSignIn: onSignIn
        )
        var routes: [SignInRoute<Context>] = []
        if let web {
            let beginPath = try check.beginPath(web, path)
            routes +=
                WebRoutes(
                    flow: web,
                    sealer: try check.sealer(of: web),
                    servicesID: try check.servicesID(of: web),
                    beginPath: beginPath,
                    handler: handler
                )
                .routes(at: path)
        }
        if let native {
            routes += NativeRoute(endpoint: native, handler: handler).routes(at: path)
        }
        return routes
    }
}

extension WebRoutes {
    fileprivate func routes(at path: String) -> [SignInRoute<Context>] {
        [
            SignInRoute(.get, path, 0) { try await begin($0) },
            SignInRoute(.post, "\(path)/callback", RouteLimits.maximumCallbackByteCount) {
                try await finish($0)
            },
            SignInRoute(
                .post,
                "\(path)/callback/again",
                RouteLimits.maximumRepeatedCallbackByteCount
            ) { try await finishAgain($0) },
        ]
    }
}

extension NativeRoute {
    fileprivate func routes(at path: String) -> [SignInRoute<Context>] {
        let signIn = SignInRoute<Context>(
            endpoint.method,
            endpoint.path ?? "\(path)/native",
            RouteLimits.maximumNativeByteCount
        ) { try await self.signIn($0) }
        guard let nonces = endpoint.nonces else { return [signIn] }
        let makeNonce = SignInRoute<Context>(
            .post,
            "\(path)/nonces",
            RouteLimits.maximumNativeByteCount
        ) { _ in self.makeNonce(nonces) }
        return [signIn, makeNonce]
    }
}
