import AppleIdentity
import Foundation
import HTTPTypes
import Logging

/// A route of signing in with Apple, to be added to any server: a request's values in, an answer's values out.
///
/// ``AppleSignIn/signInRoutes(at:web:native:beforeRedeeming:onRefusal:onError:onRepeatedCallback:onSignIn:)`` and
/// ``AppleSignIn/notificationRoute(at:onNotification:)`` make them.
public struct SignInRoute<Context>: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The path, which begins with a slash and has no parameters.
    public let path: String
    /// Bytes of the largest body that the route takes.
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

    /// Whether a request is one for this route, for servers without a router.
    ///
    /// - Parameter request: the request.
    /// - Returns: true when method and path are the route's; the query does not matter.
    public func matches(_ request: SignInRequest) -> Bool {
        request.head.method == method && request.head.targetPath == path
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - context: what your functions get, such as the framework's own request.
    ///   - logger: gets the refusals, with their hints.
    /// - Returns: the answer, also for everything that is refused.
    /// - Throws: what `onRefusal` or your nonces throw, and what ended the task.
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
    /// The routes of signing in with Apple, for any server: with a browser, from an app, or both.
    ///
    /// | route | does |
    /// |---|---|
    /// | `GET path` | sends a browser to Apple; `?return_to=/page` says where it goes afterwards |
    /// | `POST path/callback` | takes Apple's answer; end the registered redirect address with it |
    /// | `POST path/callback/again` | takes the same answer once more, from the page of a failure |
    /// | `POST path/native` | takes `{identityToken, authorizationCode?, nonce?, fullName?, resumeToken?}` |
    /// | `POST path/nonces` | gives out a nonce for an app's sign-in, if ``NativeEndpoint/nonces`` is set |
    ///
    /// Refusals are answered as a page or as a problem document, as the `Accept` field asks, and told
    /// to the log; so is a `SignInError` or ``RefusedSignIn`` of your functions. Any other error of yours is
    /// answered by `onError`, and otherwise with 503, code `sign_in_unfinished`.
    ///
    /// When it fails, nothing is lost: Apple tells the name once and redeems a code once, so that the
    /// browser or app keeps both, sealed with a key made from the team's. The page has a button that sends
    /// the same answer again; an app sends the same request again, and one that keeps no cookies adds the
    /// `resumeToken` of the problem document. Repeated within ten minutes it calls your function again with the
    /// same name and tokens; a later sign-in still brings the name. A server without the team's key redeems no
    /// code and keeps nothing: there an app keeps the name until it is answered with 201.
    ///
    /// - Parameters:
    ///   - path: where the routes are.
    ///   - web: what signing in with a browser needs; nil for none.
    ///   - native: what signing in from an app needs; nil for none.
    ///   - beforeRedeeming: looks at a verified sign-in before its code is spent, such as to store the name
    ///     or to refuse a token that was used; it is called again when the request is repeated.
    ///   - onRefusal: writes a refusal in your own way; by default a plain page or a problem document.
    ///   - onError: answers an error of your functions as your framework does; nil for one that it does not know.
    ///   - onRepeatedCallback: answers a callback that the same browser posts once more after it signed somebody in; nil
    ///     when it did not. Safari posts some callbacks twice at once and drops the first answer, with the session in it. Find
    ///     the session that the sign-in has opened by its ``VerifiedSignIn/nonce``, for a minute at most, and
    ///     replace it. Without this function the second post is refused: a code is redeemed once.
    ///   - onSignIn: finds or makes the account, and decides what is answered.
    /// - Returns: the routes.
    /// - Throws: `configuration_invalid` or `client_secret_key_invalid` for what could never work.
    public func signInRoutes<Context>(
        at path: String = "/auth/apple",
        web: WebFlow? = nil,
        native: NativeEndpoint? = nil,
        beforeRedeeming: (@Sendable (VerifiedSignIn, Context) async throws -> Void)? = nil,
        onRefusal: (
            @Sendable (RefusedSignIn, SignInRequest, Context) async throws -> SignInResponse
        )? = nil,
        onError: (@Sendable (any Error, Context) async throws -> SignInResponse?)? = nil,
        onRepeatedCallback: (@Sendable (VerifiedSignIn, Context) async throws -> SignInAnswer?)? =
            nil,
        onSignIn: @escaping @Sendable (CompletedSignIn, Context) async throws -> SignInAnswer
    ) throws(SignInError) -> [SignInRoute<Context>] {
        let check = MountCheck(apple: self)
        try check.check(web, native)
        let handler = SignInHandler(
            apple: self,
            web: web,
            nonces: native?.nonces,
            prepare: beforeRedeeming,
            refuse: onRefusal,
            answerError: onError,
            answerRepeated: onRepeatedCallback,
            decide: onSignIn
        )
        var routes: [SignInRoute<Context>] = []
        if let web {
            let beginPath = try check.beginPath(web, path)
            routes += WebRoutes(flow: web, beginPath: beginPath, handler: handler).routes(at: path)
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
        ) { _ in
            try await self.makeNonce(nonces)
        }
        return [signIn, makeNonce]
    }
}
