import AppleIdentity
import Foundation

extension AppleSignIn {
    /// Begins a sign-in in a browser.
    ///
    /// Send the browser to the address with status 303, and have it keep the pending sign-in in a cookie,
    /// sealed.
    ///
    /// - Parameters:
    ///   - clientID: the Services ID.
    ///   - redirectURI: where Apple makes the browser post its answer; registered at Apple.
    ///   - scopes: what the person is asked to share.
    /// - Returns: the address of Apple's page, and what ``finishWebSignIn(_:pending:)`` needs again.
    public func beginWebSignIn(
        clientID: ClientID,
        redirectURI: String,
        scopes: [Scope] = [.name, .email]
    ) -> (address: URL, pending: PendingWebSignIn) {
        beginWebSignIn(
            clientID: clientID,
            redirectURI: redirectURI,
            scopes: scopes,
            browserURL: configuration.service.browserURL
        )
    }

    /// The same for browsers that find Apple under another name than the configured one.
    package func beginWebSignIn(
        clientID: ClientID,
        redirectURI: String,
        scopes: [Scope],
        browserURL: URL
    ) -> (address: URL, pending: PendingWebSignIn) {
        let pending = PendingWebSignIn(clientID: clientID, redirectURI: redirectURI, now: time.now)
        let request = AuthorizationRequest(
            clientID: clientID,
            redirectURI: redirectURI,
            scopes: scopes,
            state: pending.state,
            nonce: pending.nonce
        )
        return (request.url(at: browserURL), pending)
    }

    /// Finishes a sign-in with the form that the browser posted; nothing is spent by it.
    ///
    /// The checks, in their order: the state is the pending sign-in's, and that is not older than ten
    /// minutes; the person did not press Cancel; the identity token is Apple's, has this sign-in's nonce,
    /// and was made together with the code; the name keeps its limits. A `user` field that can't be read is
    /// no reason to refuse: the name is left out.
    ///
    /// Afterwards redeem the code, then clear the cookie of the pending sign-in.
    ///
    /// - Parameters:
    ///   - callback: the posted form.
    ///   - pending: what this browser kept, found by ``AuthorizationCallback/pendingID``; nil when it
    ///     kept nothing.
    /// - Returns: the sign-in; nil when the person pressed Cancel.
    /// - Throws: `SignInError`: `state_missing`, `state_mismatch`, `state_expired`, `callback_incomplete`,
    ///   `name_too_long`, `apple_refused_request` for another error of Apple's page, a `token_…` code or
    ///   `apple_keys_unavailable`. `CancellationError` when the task is cancelled.
    public func finishWebSignIn(
        _ callback: AuthorizationCallback,
        pending: PendingWebSignIn?
    ) async throws -> VerifiedWebSignIn? {
        let pending = try check(callback, pending, within: PendingWebSignIn.lifetime)
        return try await finishWebSignIn(callback, of: pending, correctedName: nil)
    }

    /// The first half: whose answer it is.
    package func check(
        _ callback: AuthorizationCallback,
        _ pending: PendingWebSignIn?,
        within lifetime: Duration
    ) throws(SignInError) -> PendingWebSignIn {
        guard let posted = callback.state else {
            throw SignInError(.stateMissing, hint: "the callback has no state")
        }
        let isExpired = WebSignInState(posted)?.isExpired(now: time.now, after: lifetime) ?? false
        // RFC 6749, section 10.12: the answer has to come from the browser that began.
        // https://www.rfc-editor.org/rfc/rfc6749#section-10.12
        guard let pending, ConstantTime.isEqual(pending.state, posted) else {
            // Browsers drop the cookie when its time is over.
            if pending == nil, isExpired { throw .expiredState(lifetime) }
            throw SignInError(
                .stateMismatch,
                hint: pending == nil ? Self.cookieMissingHint : "the cookie has another state"
            )
        }
        guard !isExpired else { throw .expiredState(lifetime) }
        return pending
    }

    private static let cookieMissingHint =
        "no cookie belongs to the state: the browser took none, as Safari takes no Secure cookie from an http address; "
        + "or it was begun at another name of the site (localhost and 127.0.0.1 are two) or in another browser; "
        + "or it was used before"

    /// The second half: who it is about; a name that the person corrected goes before the posted one.
    package func finishWebSignIn(
        _ callback: AuthorizationCallback,
        of pending: PendingWebSignIn,
        correctedName: PersonName?
    ) async throws -> VerifiedWebSignIn? {
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
            nonce: pending.nonce
        )
    }
}

extension SignInError {
    fileprivate static func expiredState(_ lifetime: Duration) -> SignInError {
        SignInError(
            .stateExpired,
            hint: "the sign-in was begun more than \(lifetime.components.seconds) seconds ago"
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

    func url(at browserURL: URL) -> URL {
        let page = browserURL.appending(path: ApplePath.authorize)
        var components = URLComponents(url: page, resolvingAgainstBaseURL: true)
        // A space is %20 and a plus sign %2B here: Foundation would leave the plus sign alone,
        // and whoever reads the query as a form would take it for a space.
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
        return fields
    }
}
