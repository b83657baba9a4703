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
    /// | `POST path/callback/again` | takes the same answer once more, from the page of a failure |
    /// | `POST path/native` | takes `{identityToken, authorizationCode?, nonce?, fullName?, resumeToken?}` |
    /// | `POST path/nonces` | gives out a nonce for an app's sign-in, if ``NativeEndpoint/nonces`` is set |
    ///
    /// Refusals are answered as a page or as a problem document, as the `Accept` field asks, and told
    /// to the log; so is a `SignInError` or ``RefusedSignIn`` of your functions. An `HTTPError` is your own
    /// answer, and any other error of yours is answered with 503, code `sign_in_unfinished`.
    ///
    /// When it fails, nothing is lost: Apple tells the name once and redeems a code once, so that the
    /// browser or app keeps both, sealed with a key made from the team's. The page has a button that sends
    /// the same answer again; an app sends the same request again, and one that keeps no cookies adds the
    /// `resumeToken` of the problem document. Repeated within ten minutes it calls your function again with the
    /// same name and tokens; a later sign-in still brings the name. A server without the team's key redeems no
    /// code and keeps nothing: there an app keeps the name until it is answered with 201.
    ///
    /// - Parameters:
    ///   - apple: the library's facade, with the team's key.
    ///   - path: where the routes are, from this router on.
    ///   - web: what signing in with a browser needs; nil for none.
    ///   - native: what signing in from an app needs; nil for none.
    ///   - beforeRedeeming: looks at a verified sign-in before its code is spent, such as to store the name
    ///     or to refuse a token that was used; it is called again when the request is repeated.
    ///   - onRefusal: writes a refusal in your own way; by default a plain page or a problem document.
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
        onSignIn: @escaping @Sendable (CompletedSignIn, Context) async throws -> SignInAnswer
    ) throws(SignInError) -> Self {
        let check = MountCheck(apple: apple)
        try check.check(web, native)
        let handler = SignInHandler(
            apple: apple,
            web: web,
            nonces: native?.nonces,
            prepare: beforeRedeeming,
            refuse: onRefusal,
            decide: onSignIn
        )
        if let web {
            let beginPath = try check.beginPath(web, path)
            add(WebRoutes(flow: web, beginPath: beginPath, handler: handler), at: path)
        }
        if let native { add(NativeRoute(endpoint: native, handler: handler), at: path) }
        return self
    }

    private func add(_ routes: WebRoutes<Context>, at path: String) {
        on(RouterPath(path), method: .get) { try await routes.begin($0, $1) }
        on(RouterPath("\(path)/callback"), method: .post) { try await routes.finish($0, $1) }
        on(RouterPath("\(path)/callback/again"), method: .post) {
            try await routes.finishAgain($0, $1)
        }
    }

    private func add(_ route: NativeRoute<Context>, at path: String) {
        let routePath = RouterPath(route.endpoint.path ?? "\(path)/native")
        on(routePath, method: route.endpoint.method) { try await route.signIn($0, $1) }
        guard let nonces = route.endpoint.nonces else { return }
        on(RouterPath("\(path)/nonces"), method: .post) {
            try await route.makeNonce(nonces, $0, $1)
        }
    }
}

/// Finds, before the first person comes, what could never work.
private struct MountCheck {
    let apple: AppleSignIn

    func check(_ web: WebFlow?, _ native: NativeEndpoint?) throws(SignInError) {
        guard web != nil || native != nil else {
            throw Self.invalid("neither web nor native is set, so that nobody could sign in")
        }
        guard let native else { return }
        guard !native.clientIDs.isEmpty else { throw Self.invalid("native has no client") }
        for clientID in native.clientIDs {
            if native.requiresCode {
                _ = try apple.clientSecret(for: clientID)
            } else if !apple.configuration.clientIDs.contains(clientID) {
                throw Self.invalid("the client \(clientID.rawValue) is not configured")
            }
        }
    }

    /// The path in browsers that begins the flow, out of the address where it ends.
    func beginPath(_ flow: WebFlow, _ path: String) throws(SignInError) -> String {
        _ = try apple.clientSecret(for: flow.servicesID)
        let ending = "/\(path.trimmingCharacters(in: CharacterSet(charactersIn: "/")))/callback"
        let paths = try flow.origins.map { origin throws(SignInError) in
            try Self.path(of: origin.redirectURI, ending: ending)
        }
        guard let first = paths.first, paths.allSatisfy({ $0 == first }) else {
            throw Self.invalid("the redirect addresses differ in more than scheme, host and port")
        }
        return String(first.dropLast("/callback".count))
    }

    private static func path(
        of redirectURI: String,
        ending: String
    ) throws(SignInError) -> String {
        // Without TLS a cookie is safe from others on the way on loopback names alone.
        guard
            let address = URLComponents(string: redirectURI),
            let host = address.host, address.scheme == "https" || LoopbackHost.contains(host),
            address.percentEncodedPath.hasSuffix(ending),
            address.percentEncodedQuery == nil, address.percentEncodedFragment == nil
        else {
            throw invalid(
                "the redirect address \(redirectURI) has to be https, or http on "
                    + "localhost, and to end with \(ending)"
            )
        }
        return address.percentEncodedPath
    }

    private static func invalid(_ hint: String) -> SignInError {
        SignInError(.configurationInvalid, hint: hint)
    }
}
