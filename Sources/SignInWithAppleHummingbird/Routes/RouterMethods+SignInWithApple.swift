import AppleIdentity
import Foundation
import Hummingbird
import SignInWithApple

extension RouterMethods {
    /// Adds signing in with Apple: with a browser, from an app, or both.
    ///
    /// | route | does |
    /// |---|---|
    /// | `GET path` | sends a browser to Apple; `?return_to=/page` says where it goes afterwards |
    /// | `POST path/callback` | takes Apple's answer; end the registered redirect address with it |
    /// | `POST path/native` | takes `{identityToken, authorizationCode?, nonce?, fullName?}` |
    ///
    /// Refusals are answered as a page or as a problem document, as the `Accept` field asks, and told
    /// to the log; so is a `SignInError` of your function. An `HTTPError` is your own answer, and any
    /// other error of your function is answered with 503, code `sign_in_unfinished`.
    ///
    /// When it fails, nothing is lost: Apple tells the name once and redeems a code once, so that the
    /// browser or app keeps both, sealed in cookies. The same request, repeated within ten minutes,
    /// calls your function again with the same name and tokens; a later sign-in still brings the name.
    ///
    /// - Parameters:
    ///   - apple: the library's facade, with the team's key.
    ///   - path: where the routes are, from this router on.
    ///   - web: what signing in with a browser needs; nil for none.
    ///   - native: what signing in from an app needs; nil for none.
    ///   - onSignIn: finds or makes the account, and decides what is answered.
    /// - Returns: the router.
    /// - Throws: `configuration_invalid` or `client_secret_key_invalid` for what could never work.
    @discardableResult
    public func signInWithApple(
        _ apple: AppleSignIn,
        at path: String = "auth/apple",
        web: WebFlow? = nil,
        native: NativeEndpoint? = nil,
        onSignIn: @escaping @Sendable (CompletedSignIn, Context) async throws -> SignInAnswer
    ) throws(SignInError) -> Self {
        let beginPath = try web.map { flow throws(SignInError) in
            try MountCheck(apple: apple).beginPath(flow, path)
        }
        if let native { try MountCheck(apple: apple).check(native) }
        let handler = SignInHandler(apple: apple, beginPath: beginPath, decide: onSignIn)
        if let web {
            let routes = WebRoutes(flow: web, handler: handler)
            on(RouterPath(path), method: .get) { request, context in
                try await handler.answering(request, context) { try routes.begin(request) }
            }
            on(RouterPath("\(path)/callback"), method: .post) { request, context in
                try await handler.answering(request, context) {
                    try await routes.finish(request, context)
                }
            }
        }
        if let native {
            let route = NativeRoute(endpoint: native, handler: handler)
            on(RouterPath("\(path)/native"), method: .post) { request, context in
                try await handler.answering(request, context) {
                    try await route.signIn(request, context)
                }
            }
        }
        return self
    }
}
