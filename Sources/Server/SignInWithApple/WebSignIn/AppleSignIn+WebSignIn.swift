import AppleIdentity
import Foundation

extension AppleSignIn {
    /// Begins a sign-in in a browser, without a request to Apple.
    ///
    /// Redirect the browser to the URL with status 303, and store the pending sign-in in an encrypted cookie.
    ///
    /// - Parameters:
    ///   - clientID: the Services ID.
    ///   - redirectURI: the redirect URI, exactly as registered at Apple.
    ///   - scopes: the requested scopes.
    /// - Returns: the URL of Apple's page, with a code challenge (PKCE, RFC 7636), and the pending sign-in.
    public func beginWebSignIn(
        clientID: ClientID,
        redirectURI: String,
        scopes: [Scope] = [.name, .email]
    ) -> WebSignInStart {
        beginWebSignIn(
            clientID: clientID,
            redirectURI: redirectURI,
            scopes: scopes,
            browserURL: configuration.service.browserURL
        )
    }

    /// Begins a sign-in for browsers that reach Apple at a URL other than the configured one.
    package func beginWebSignIn(
        clientID: ClientID,
        redirectURI: String,
        scopes: [Scope],
        browserURL: URL
    ) -> WebSignInStart {
        let pending = PendingWebSignIn(clientID: clientID, redirectURI: redirectURI, now: time.now)
        let request = AuthorizationRequest(
            clientID: clientID,
            redirectURI: redirectURI,
            scopes: scopes,
            state: pending.state,
            nonce: pending.nonce,
            codeChallenge: pending.codeVerifier.map(CodeVerifier.challenge)
        )
        return WebSignInStart(authorizationURL: request.url(at: browserURL), pending: pending)
    }

    /// Verifies the form that Apple's page made the browser post, without using up the code.
    ///
    /// The checks, in this order:
    /// 1. The state is the pending sign-in's, and the sign-in began at most ten minutes ago.
    /// 2. The user did not press Cancel.
    /// 3. The identity token is valid, and has this sign-in's nonce and the code's hash.
    /// 4. The name is within its limits. An unreadable `user` field is no error: the name is nil.
    ///
    /// Then exchange the code with ``exchange(_:)``, and delete the cookie of the pending sign-in.
    ///
    /// - Parameters:
    ///   - callback: the posted form.
    ///   - pending: the pending sign-in from the browser's cookie, found by
    ///     ``AuthorizationCallback/pendingID``; nil if there is no cookie.
    /// - Returns: the sign-in; nil if the user pressed Cancel.
    /// - Throws: `SignInError`: `state_missing`, `state_mismatch`, `state_expired`, `callback_incomplete`,
    ///   `name_too_long`, `apple_refused_request` for another error of Apple's page, or a code of
    ///   ``verify(_:expecting:)``. `CancellationError` if the task is cancelled.
    public func finishWebSignIn(
        _ callback: AuthorizationCallback,
        pending: PendingWebSignIn?
    ) async throws -> VerifiedWebSignIn? {
        let lifetime = PendingWebSignIn.lifetime
        guard let pending else { throw pendingMissing(callback, within: lifetime) }
        return try await finishWebSignIn(callback, pending: pending, within: lifetime)
    }

    /// Exchanges the code of a verified web sign-in for tokens, with its redirect URI and code verifier.
    ///
    /// - Parameter signIn: the sign-in, whose code Apple accepts once.
    /// - Returns: the same identity, and the tokens.
    /// - Throws: the errors of ``exchange(code:for:redirectURI:codeVerifier:)``.
    public func exchange(_ signIn: VerifiedWebSignIn) async throws -> AppleGrant {
        try await exchange(
            code: signIn.code,
            for: signIn.identity,
            redirectURI: signIn.redirectURI,
            codeVerifier: signIn.codeVerifier
        )
    }

    /// Verifies the form within another lifetime; a name that the user corrected replaces the posted one.
    package func finishWebSignIn(
        _ callback: AuthorizationCallback,
        pending: PendingWebSignIn,
        within lifetime: Duration,
        correctedName: PersonName? = nil
    ) async throws -> VerifiedWebSignIn? {
        guard let state = callback.state else { throw SignInError.stateMissing }
        // RFC 6749, section 10.12: the response must come from the browser that began.
        // https://www.rfc-editor.org/rfc/rfc6749#section-10.12
        guard ConstantTime.isEqual(pending.state, state) else {
            throw SignInError(.stateMismatch, hint: "the cookie has a different state")
        }
        guard !isExpired(state, lifetime) else { throw SignInError.stateExpired(lifetime) }
        if callback.error == .userCancelledAuthorize { return nil }
        let authorization = try callback.authorization()
        guard let identityToken = authorization.identityToken else {
            throw SignInError(
                .callbackIncomplete,
                hint: "the callback has no id_token; was response_type code id_token?"
            )
        }
        let identity = try await verify(
            identityToken,
            expecting: IdentityTokenExpectation(
                nonce: .raw(pending.nonce),
                clientIDs: [pending.clientID],
                authorizationCode: authorization.code
            )
        )
        let name = try (correctedName ?? authorization.user?.name).flatMap {
            name throws(SignInError) in try name.checked()
        }
        return VerifiedWebSignIn(
            identity: identity,
            identityToken: identityToken,
            code: authorization.code,
            name: name,
            isNameUnreadable: correctedName == nil && authorization.isUserUnreadable,
            redirectURI: pending.redirectURI,
            codeVerifier: pending.codeVerifier,
            nonce: pending.nonce
        )
    }
}

extension AppleSignIn {
    /// The error of a callback without a pending sign-in; browsers delete an expired cookie.
    package func pendingMissing(
        _ callback: AuthorizationCallback,
        within lifetime: Duration
    ) -> SignInError {
        guard let state = callback.state else { return .stateMissing }
        return isExpired(state, lifetime)
            ? .stateExpired(lifetime) : SignInError(.stateMismatch, hint: Self.cookieMissingHint)
    }

    private static let cookieMissingHint =
        "no cookie matches the state: the browser rejected it, as Safari rejects Secure cookies over HTTP; "
        + "or the sign-in began under another host name (localhost and 127.0.0.1 differ) or in another browser; "
        + "or the cookie was already used"

    private func isExpired(_ state: String, _ lifetime: Duration) -> Bool {
        WebSignInState(state)?.isExpired(now: time.now, after: lifetime) ?? false
    }
}

extension SignInError {
    fileprivate static let stateMissing =
        SignInError(.stateMissing, hint: "the callback has no state")

    fileprivate static func stateExpired(_ lifetime: Duration) -> SignInError {
        SignInError(
            .stateExpired,
            hint: "the sign-in began more than \(lifetime.components.seconds) seconds ago"
        )
    }
}

/// The parameters of Apple's page.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
struct AuthorizationRequest {
    let clientID: ClientID
    let redirectURI: String
    let scopes: [Scope]
    let state: String
    let nonce: String
    let codeChallenge: String?

    func url(at browserURL: URL) -> URL {
        let page = browserURL.appending(path: ApplePath.authorize)
        var components = URLComponents(url: page, resolvingAgainstBaseURL: true)
        // A space is %20 and a plus sign %2B here: Foundation would not encode the plus sign,
        // and a form parser would read it as a space.
        components?.percentEncodedQuery = FormCoding.encode(fields)
        return components?.url ?? page
    }

    private var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = [
            ("client_id", clientID.rawValue),
            ("redirect_uri", redirectURI),
            ("response_type", "code id_token"),
            ("response_mode", ResponseMode.formPost.rawValue),
        ]
        if !scopes.isEmpty {
            fields.append(("scope", scopes.map(\.rawValue).joined(separator: " ")))
        }
        fields.append(("state", state))
        fields.append(("nonce", nonce))
        if let codeChallenge {
            fields += [("code_challenge", codeChallenge), ("code_challenge_method", "S256")]
        }
        return fields
    }
}
