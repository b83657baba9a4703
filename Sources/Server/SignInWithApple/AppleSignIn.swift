import AppleIdentity
import CoreMetrics
import Foundation
import Instrumentation
import Logging
import Tracing

/// The server side of Sign in with Apple: tokens, notifications and the migration of users.
///
/// Create one instance at startup and share it: it caches Apple's keys and the client secrets.
public struct AppleSignIn: Sendable {
    /// The configuration that was passed to the initializer.
    public let configuration: Configuration
    package let time: TimeSource
    let spans: Spans
    let notifications: NotificationVerifier
    let tokens: TokenEndpoint
    private let keys: KeyCache
    private let verifier: IdentityTokenVerifier
    private let secrets: ClientSecretMaker?

    /// Creates an instance, which sends no request before one is needed.
    ///
    /// - Parameters:
    ///   - configuration: the client IDs, the key and the service to use.
    ///   - transport: sends the requests to Apple; over the network by default.
    public init(configuration: Configuration, transport: AppleTransport = .live()) {
        self.init(configuration: configuration, transport: transport, time: .live)
    }

    /// Creates an instance with a clock that tests and the emulator can set.
    package init(configuration: Configuration, transport: AppleTransport, time: TimeSource) {
        self.configuration = configuration
        self.time = time
        spans = Spans(configuration.tracer)
        let exchange = AppleExchange(
            service: configuration.service,
            transport: transport,
            time: time,
            metrics: configuration.metrics,
            spans: spans
        )
        keys = KeyCache(
            exchange: exchange,
            time: time,
            logger: configuration.logger,
            metrics: configuration.metrics
        )
        notifications = NotificationVerifier(
            keys: keys,
            issuer: configuration.service.issuer,
            clientIDs: Set(configuration.clientIDs),
            time: time
        )
        verifier = IdentityTokenVerifier(
            keys: keys,
            issuer: configuration.service.issuer,
            clientIDs: Set(configuration.clientIDs),
            relayDomains: configuration.relayDomains,
            time: time,
            duration: IdentityTokenVerifier.timer(configuration.metrics)
        )
        tokens = TokenEndpoint(
            exchange: exchange,
            servicesIDs: Set(configuration.servicesIDs),
            history: SentHistory()
        )
        secrets = configuration.key.map {
            ClientSecretMaker(key: $0, audience: configuration.service.issuer, time: time)
        }
    }

    /// Fetches Apple's keys, unless known ones can be used: for a readiness check, or before the first sign-in.
    ///
    /// - Throws: `SignInError`: `apple_keys_unavailable`, or `configuration_invalid` if Apple's URL is invalid.
    ///   `CancellationError` if the task is cancelled.
    public func prepare() async throws { try await keys.prepare() }

    /// Verifies an identity token.
    ///
    /// - Parameters:
    ///   - identityToken: the token as a compact JWS, as an app or a browser sent it.
    ///   - expectation: the nonce, clients, code and access token that the token must match.
    /// - Returns: the verified identity.
    /// - Throws: `SignInError`: a `token_…` code for the first check that fails,
    ///   `apple_keys_unavailable`, or `configuration_invalid` if Apple's URL is invalid.
    ///   `CancellationError` if the task is cancelled.
    public func verify(
        _ identityToken: String,
        expecting expectation: IdentityTokenExpectation
    ) async throws -> VerifiedIdentity {
        try await spans.within("verify identity token") {
            try await verifier.verify(identityToken, expecting: expectation)
        }
    }

    /// Signs a user in with what an app posts: verifies the identity token, and exchanges the code that came with it.
    ///
    /// The token must have the hash of the code (`c_hash`), so both come from one sign-in. If the token is refused, the
    /// code is not used up.
    ///
    /// - Parameters:
    ///   - identityToken: the token as a compact JWS.
    ///   - code: the authorization code, which Apple accepts once.
    ///   - nonce: the nonce of the app's request to Apple.
    ///   - redirectURI: the redirect URI of the authorization request; nil for a code from an app.
    ///   - codeVerifier: the verifier (RFC 7636) if the authorization request had a code challenge; else nil.
    /// - Returns: the tokens, and the identity from the app's token.
    /// - Throws: the errors of ``verify(_:expecting:)`` and ``exchange(code:for:redirectURI:codeVerifier:)``.
    public func signIn(
        identityToken: String,
        code: String,
        nonce: NonceExpectation,
        redirectURI: String? = nil,
        codeVerifier: String? = nil
    ) async throws -> AppleGrant {
        let identity = try await verify(
            identityToken,
            expecting: IdentityTokenExpectation(nonce: nonce, authorizationCode: code)
        )
        var grant = try await exchange(
            code: code,
            for: identity,
            redirectURI: redirectURI,
            codeVerifier: codeVerifier
        )
        // Apple's response to the code does not repeat its estimate of a real person.
        grant.identity = identity
        return grant
    }

    /// Exchanges an authorization code for tokens, which must belong to a verified identity.
    ///
    /// Apple's response must be about the same user. Otherwise the code and the identity token come
    /// from two sign-ins. For a sign-in of ``finishWebSignIn(_:pending:)``, use ``exchange(_:)``.
    ///
    /// - Parameters:
    ///   - code: the authorization code, which Apple accepts once.
    ///   - identity: the identity from the identity token that came with the code.
    ///   - redirectURI: the redirect URI of the authorization request; nil for a code from an app.
    ///   - codeVerifier: the verifier (RFC 7636) if the authorization request had a code challenge; else nil.
    /// - Returns: the same identity, and the tokens.
    /// - Throws: `SignInError`: `identity_mismatch` if the code belongs to another user, an `apple_…`
    ///   code, a `token_…` code if the response's token is invalid, or a code of
    ///   ``clientSecret(for:)``. `CancellationError` if the task is cancelled; the code may be used
    ///   up then.
    public func exchange(
        code: String,
        for identity: VerifiedIdentity,
        redirectURI: String? = nil,
        codeVerifier: String? = nil
    ) async throws -> AppleGrant {
        let grant = try await send(
            code: code,
            of: identity,
            redirectURI: redirectURI,
            codeVerifier: codeVerifier
        )
        return try await verify(grant, for: identity)
    }

    /// Exchanges an authorization code for tokens, without an identity token to compare with.
    ///
    /// If you have an identity token, use ``exchange(code:for:redirectURI:codeVerifier:)``: it also checks that both
    /// belong to the same user.
    ///
    /// - Parameters:
    ///   - code: the authorization code, which Apple accepts once.
    ///   - clientID: the bundle identifier or Services ID that the code was issued to.
    ///   - redirectURI: the redirect URI of the authorization request; nil for a code from an app.
    ///   - codeVerifier: the verifier (RFC 7636) if the authorization request had a code challenge; else nil.
    ///   - receivedAt: when your server received the code; used only to explain an error of Apple.
    /// - Returns: the verified identity, and the tokens.
    /// - Throws: `SignInError`: an `apple_…` code, a `token_…` code if the response's token is
    ///   invalid, or a code of ``clientSecret(for:)``. `CancellationError` if the task is cancelled;
    ///   the code may be used up then.
    public func exchange(
        code: String,
        clientID: ClientID,
        redirectURI: String? = nil,
        codeVerifier: String? = nil,
        receivedAt: Date? = nil
    ) async throws -> AppleGrant {
        let grant = try await send(
            code: code,
            clientID: clientID,
            redirectURI: redirectURI,
            codeVerifier: codeVerifier,
            receivedAt: receivedAt
        )
        return try await verify(grant)
    }

    /// Sends the code to Apple, without verifying the response: afterwards the code is used up, whatever it is.
    package func send(
        code: String,
        clientID: ClientID,
        redirectURI: String? = nil,
        codeVerifier: String? = nil,
        receivedAt: Date? = nil
    ) async throws -> UnverifiedGrant {
        try await tokens.send(
            code: code,
            redirectURI: redirectURI,
            codeVerifier: codeVerifier,
            receivedAt: receivedAt,
            as: try credentials(of: clientID)
        )
    }

    /// Verifies Apple's response to a code that came with an identity token.
    ///
    /// It can be repeated after a retryable error or a cancellation.
    package func verify(
        _ grant: UnverifiedGrant,
        for identity: VerifiedIdentity
    ) async throws -> AppleGrant {
        let verified = try await verify(grant)
        // OpenID Connect Core, section 3.3.3.6: iss and sub of both tokens must be the same.
        // https://openid.net/specs/openid-connect-core-1_0.html#HybridIDToken2
        guard
            verified.identity.userID == identity.userID,
            verified.identity.issuer == identity.issuer,
            verified.identity.clientID == identity.clientID
        else {
            throw SignInError(
                .identityMismatch,
                hint: "Apple's response to the code names a different user than the identity token"
            )
        }
        return verified
    }

    /// Verifies Apple's response to a code that came without an identity token.
    package func verify(_ grant: UnverifiedGrant) async throws -> AppleGrant {
        // OpenID Connect Core, section 3.1.3.8: an at_hash is checked if it is present. A nonce
        // is not: the response comes straight from Apple, and codes are bound to their client.
        // https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowTokenValidation
        let identity = try await verifier.verify(
            grant.identityToken,
            expecting: IdentityTokenExpectation(
                nonce: .unchecked,
                clientIDs: [grant.clientID],
                accessToken: grant.accessToken
            )
        )
        return AppleGrant(
            identity: identity,
            accessToken: grant.accessToken,
            accessTokenExpirationTime: grant.expirationTime,
            refreshToken: grant.refreshToken,
            nextCheck: time.now + RefreshValidation.interval / .seconds(1)
        )
    }

    /// Exchanges a refresh token for a new access token, which also checks that the user still uses the app.
    ///
    /// To limit the requests to one per day, use ``validate(_:clientID:nextCheck:)``.
    ///
    /// - Parameters:
    ///   - refreshToken: the refresh token, decrypted.
    ///   - clientID: the client that it was issued to.
    /// - Returns: the verified identity and a new access token; ``AppleGrant/refreshToken`` is nil.
    /// - Throws: `SignInError`: `apple_refused_grant` if the refresh token is no longer valid,
    ///   another `apple_…` code, a `token_…` code if the response's token is invalid, or a code of
    ///   ``clientSecret(for:)``. `CancellationError` if the task is cancelled.
    public func refresh(_ refreshToken: String, clientID: ClientID) async throws -> AppleGrant {
        try await verify(tokens.refresh(refreshToken, as: credentials(of: clientID)))
    }

    /// Revokes a token, which removes the app from the user's Apple Account.
    ///
    /// Apple's response to an unknown token is the same, so success proves nothing.
    ///
    /// - Parameters:
    ///   - token: a refresh token or an access token.
    ///   - clientID: the client that it was issued to.
    ///   - hint: the type of the token.
    /// - Throws: `SignInError`: an `apple_…` code or a code of ``clientSecret(for:)``.
    ///   `CancellationError` if the task is cancelled. After this and after a retryable error it is
    ///   unknown whether Apple revoked the token.
    public func revoke(
        _ token: String,
        clientID: ClientID,
        hint: TokenTypeHint = .refreshToken
    ) async throws {
        try await tokens.revoke(token, hint: hint, as: try credentials(of: clientID))
    }

    /// The URL of Apple's page, with values of the caller.
    package func authorizationURL(
        clientID: ClientID,
        redirectURI: String,
        scopes: [Scope],
        state: String,
        nonce: String,
        codeChallenge: String? = nil
    ) -> URL {
        AuthorizationRequest(
            clientID: clientID,
            redirectURI: redirectURI,
            scopes: scopes,
            state: state,
            nonce: nonce,
            codeChallenge: codeChallenge
        )
        .url(at: configuration.service.browserURL)
    }

    /// Returns a client secret for Apple's endpoints, which is cached and renewed as needed.
    ///
    /// - Parameter clientID: one of the configured clients.
    /// - Returns: a JWT signed with the team's key, valid for one to ten minutes.
    /// - Throws: `configuration_invalid` if there is no key or the client is not configured, and
    ///   `client_secret_key_invalid` if the key cannot sign.
    public func clientSecret(for clientID: ClientID) throws(SignInError) -> String {
        guard configuration.clientIDs.contains(clientID) else {
            throw SignInError(
                .configurationInvalid,
                hint:
                    "the client \(Excerpt.quoting(clientID.rawValue)) is not one of the client IDs"
            )
        }
        guard let secrets else {
            throw SignInError(
                .configurationInvalid,
                hint: "no key is configured: exchange, refresh and revoke need the team's .p8"
            )
        }
        return try secrets.secret(for: clientID)
    }

    func credentials(of clientID: ClientID) throws(SignInError) -> ClientCredentials {
        ClientCredentials(clientID: clientID, secret: try clientSecret(for: clientID))
    }
}

extension AppleSignIn {
    /// The settings of an ``AppleSignIn``: clients, key, service and logging.
    public struct Configuration: Sendable {
        /// The bundle identifiers of your apps.
        public var appIDs: [ClientID]
        /// The Services IDs of your sites; the first is that of a ``WebFlow`` that names none.
        public var servicesIDs: [ClientID]
        /// The key that signs client secrets; not needed to verify tokens.
        public var key: ClientSecretKey?
        /// The URLs and the issuer of Apple's service, or of an emulator; every check is the same.
        public var service: AppleService
        /// The domains of private relay addresses, which count even if `is_private_email` is false.
        public var relayDomains = RelayDomains.apple
        /// Logs failures that no caller receives, such as a failed refresh of Apple's keys.
        public var logger: Logger
        /// Measures what <doc:Observing> lists; nil for the backend of `MetricsSystem` when it is first used.
        public var metrics: (any MetricsFactory)?
        /// Records the spans that <doc:Observing> lists; nil for the tracer of `InstrumentationSystem`.
        public var tracer: (any Tracer)?

        /// The accepted audiences: the bundle identifiers and the Services IDs.
        public var clientIDs: [ClientID] { appIDs + servicesIDs }

        /// Creates the settings.
        ///
        /// - Parameters:
        ///   - appIDs: the bundle identifiers of your apps.
        ///   - servicesIDs: the Services IDs of your web sites.
        ///   - key: the key that signs client secrets; nil if you only verify tokens.
        ///   - service: the URLs and the issuer of Apple's service.
        ///   - logger: logs failures that no caller receives.
        public init(
            appIDs: [ClientID] = [],
            servicesIDs: [ClientID] = [],
            key: ClientSecretKey? = nil,
            service: AppleService = .apple,
            logger: Logger = Logger(label: "sign-in-with-apple")
        ) {
            self.appIDs = appIDs
            self.servicesIDs = servicesIDs
            self.key = key
            self.service = service
            self.logger = logger
        }
    }
}
