import AppleIdentity
import CoreMetrics
import Foundation
import Instrumentation
import Logging
import Tracing

/// Sign in with Apple for servers: verify, redeem, refresh, revoke, be notified, move people.
///
/// Make one at start and share it: it keeps Apple's keys and the client secrets.
public struct AppleSignIn: Sendable {
    /// What it was made with.
    public let configuration: Configuration
    package let time: TimeSource
    package let spans: Spans

    let notifications: NotificationVerifier
    let migrations: MigrationEndpoint
    private let verifier: IdentityTokenVerifier
    private let tokens: TokenEndpoint
    private let secrets: ClientSecretMaker?

    /// Makes the facade; nothing is fetched before it is needed.
    ///
    /// - Parameters:
    ///   - configuration: what the server needs to know.
    ///   - transport: how Apple is reached.
    public init(configuration: Configuration, transport: AppleTransport = .live()) {
        self.init(configuration: configuration, transport: transport, time: .live)
    }

    /// The same with a clock that tests and the emulator can move.
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
        let keys = KeyCache(
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
        let history = SentHistory()
        tokens = TokenEndpoint(
            exchange: exchange,
            servicesIDs: configuration.servicesIDs,
            history: history
        )
        migrations = MigrationEndpoint(
            exchange: exchange,
            relayDomains: configuration.relayDomains,
            history: history
        )
        secrets = configuration.key.map {
            ClientSecretMaker(key: $0, audience: configuration.service.issuer, time: time)
        }
    }

    /// Verifies an identity token.
    ///
    /// - Parameters:
    ///   - identityToken: the compact token as an app or a browser handed it in.
    ///   - expectation: what it must be bound to.
    /// - Returns: who the person is.
    /// - Throws: `SignInError`: a `token_…` code for the first check that fails, or
    ///   `apple_keys_unavailable`. `CancellationError` when the task is cancelled.
    public func verify(
        _ identityToken: String,
        expecting expectation: IdentityTokenExpectation
    ) async throws -> VerifiedIdentity {
        try await spans.within("verify identity token") {
            try await verifier.verify(identityToken, expecting: expectation)
        }
    }

    /// Redeems the authorization code that came with a verified identity token.
    ///
    /// Apple's answer has to be about the same person: otherwise somebody put the code of one
    /// sign-in to the token of another.
    ///
    /// - Parameters:
    ///   - code: the code; it is good for one redemption.
    ///   - identity: who the identity token named that came with the code.
    ///   - redirectURI: the address used at Apple's page; nil for a code from a device.
    /// - Returns: the same person, and the tokens.
    /// - Throws: `SignInError`: `identity_mismatch` when the code is another person's, an `apple_…`
    ///   code, or a `token_…` code when the answer's token is not acceptable. `CancellationError`
    ///   when the task is cancelled; the code may be spent then.
    public func redeem(
        code: String,
        for identity: VerifiedIdentity,
        redirectURI: String? = nil
    ) async throws -> AppleGrant {
        let grant = try await exchange(
            code: code,
            clientID: identity.clientID,
            redirectURI: redirectURI,
            receivedAt: identity.issuedAt
        )
        return try await verify(grant, for: identity)
    }

    /// Redeems an authorization code that came without an identity token.
    ///
    /// With an identity token, ``redeem(code:for:redirectURI:)`` checks besides that both are about
    /// the same person.
    ///
    /// - Parameters:
    ///   - code: the code; it is good for one redemption.
    ///   - clientID: the client it was issued to: bundle identifier or Services ID.
    ///   - redirectURI: the address used at Apple's page; nil for a code from a device.
    ///   - receivedAt: when the app or browser brought the code; it only tells a late code from an
    ///     altered one when Apple refuses.
    /// - Returns: who the person is, and the tokens.
    /// - Throws: `SignInError`: an `apple_…` code, or a `token_…` code when the answer's token is not
    ///   acceptable. `CancellationError` when the task is cancelled; the code may be spent then.
    public func redeem(
        code: String,
        clientID: ClientID,
        redirectURI: String? = nil,
        receivedAt: Date? = nil
    ) async throws -> AppleGrant {
        let grant = try await exchange(
            code: code,
            clientID: clientID,
            redirectURI: redirectURI,
            receivedAt: receivedAt
        )
        return try await verify(grant)
    }

    /// The first half of redeeming: afterwards the code is spent, whatever becomes of the answer.
    package func exchange(
        code: String,
        clientID: ClientID,
        redirectURI: String? = nil,
        receivedAt: Date? = nil
    ) async throws -> UnverifiedGrant {
        let answer = try await tokens.redeem(
            code: code,
            redirectURI: redirectURI,
            receivedAt: receivedAt,
            as: try credentials(of: clientID)
        )
        return UnverifiedGrant(answer: answer, clientID: clientID)
    }

    /// The second half of redeeming a code that came with an identity token.
    ///
    /// After a retryable error, or when the task was cancelled, it can be done again.
    package func verify(
        _ grant: UnverifiedGrant,
        for identity: VerifiedIdentity
    ) async throws -> AppleGrant {
        let verified = try await verify(grant)
        // OpenID Connect Core, section 3.3.3.6: iss and sub of both tokens must be the same.
        // https://openid.net/specs/openid-connect-core-1_0.html#HybridIDToken2
        guard
            verified.identity.user == identity.user, verified.identity.issuer == identity.issuer,
            verified.identity.clientID == identity.clientID
        else {
            throw SignInError(
                .identityMismatch,
                hint: "Apple's answer to the code is about another person than the token"
            )
        }
        return verified
    }

    /// The second half of redeeming a code that came alone.
    package func verify(_ grant: UnverifiedGrant) async throws -> AppleGrant {
        let answer = grant.answer
        // OpenID Connect Core, section 3.1.3.8: an at_hash is checked when it is there. A nonce
        // is not: the answer comes straight from Apple, and codes are bound to their client.
        // https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowTokenValidation
        let identity = try await verifier.verify(
            answer.identityToken,
            expecting: IdentityTokenExpectation(
                nonce: .unchecked,
                clientIDs: [grant.clientID],
                accessToken: answer.accessToken
            )
        )
        return AppleGrant(
            identity: identity,
            accessToken: answer.accessToken,
            accessTokenExpirationTime: answer.expirationTime,
            refreshToken: answer.refreshToken
        )
    }

    /// Refreshes at Apple, at once; ``validate(_:clientID:lastChecked:)`` keeps to one check a day.
    ///
    /// - Parameters:
    ///   - refreshToken: the token that came with a code.
    ///   - clientID: the client it was issued to.
    /// - Returns: who the person is, without a new refresh token.
    /// - Throws: `SignInError`: `apple_refused_grant` when it is not good any more, or another
    ///   `apple_…` code. `CancellationError` when the task is cancelled.
    public func refresh(_ refreshToken: String, clientID: ClientID) async throws -> AppleGrant {
        let answer = try await tokens.refresh(refreshToken, as: try credentials(of: clientID))
        return try await verify(UnverifiedGrant(answer: answer, clientID: clientID))
    }

    /// Ends the relation between the person and the app at Apple.
    ///
    /// Apple answers the same for a token it has never seen, so that success proves nothing.
    ///
    /// - Parameters:
    ///   - token: a refresh token or an access token.
    ///   - clientID: the client it was issued to.
    ///   - hint: which of the two it is.
    /// - Throws: `SignInError`: an `apple_…` code; a retryable one means that Apple may not have
    ///   heard it. `CancellationError` when the task is cancelled, which means the same.
    public func revoke(
        _ token: String,
        clientID: ClientID,
        hint: TokenTypeHint = .refreshToken
    ) async throws {
        try await tokens.revoke(token, hint: hint, as: try credentials(of: clientID))
    }

    /// Makes the address of Apple's page, to which the browser is to be sent.
    ///
    /// - Parameters:
    ///   - clientID: the Services ID.
    ///   - redirectURI: where Apple shall make the browser post the answer; registered at Apple.
    ///   - scopes: what the person is asked to share.
    ///   - state: unguessable, bound to this browser, used once.
    ///   - nonce: unguessable, bound to this browser, used once; Apple copies it into the token.
    /// - Returns: the address, answering with a code and an identity token in a posted form.
    public func authorizationURL(
        clientID: ClientID,
        redirectURI: String,
        scopes: [Scope],
        state: String,
        nonce: String
    ) -> URL {
        AuthorizationRequest(
            clientID: clientID,
            redirectURI: redirectURI,
            scopes: scopes,
            state: state,
            nonce: nonce
        )
        .url(at: configuration.service.browserURL)
    }

    /// Makes the client secret that Apple's endpoints ask for, or returns the one kept.
    ///
    /// - Parameter clientID: one of the configured clients.
    /// - Returns: a token signed with the team's key, good for a minute or more.
    /// - Throws: `configuration_invalid` when there is no key or the client is not configured.
    public func clientSecret(for clientID: ClientID) throws(SignInError) -> String {
        guard configuration.clientIDs.contains(clientID) else {
            throw SignInError(
                .configurationInvalid,
                hint: "the client \(Excerpt.quoting(clientID.rawValue)) is not configured"
            )
        }
        guard let secrets else {
            throw SignInError(
                .configurationInvalid,
                hint: "there is no key: redeeming, refreshing and revoking need the team's .p8"
            )
        }
        return try secrets.secret(for: clientID)
    }

    func credentials(of clientID: ClientID) throws(SignInError) -> ClientCredentials {
        ClientCredentials(clientID: clientID, secret: try clientSecret(for: clientID))
    }
}

extension AppleSignIn {
    /// What a server needs to know to sign people in with Apple.
    public struct Configuration: Sendable {
        /// The bundle identifiers and Services IDs of this server: whom tokens may be meant for.
        public var clientIDs: [ClientID]
        /// Which of the clients are Services IDs; nil when unsaid.
        ///
        /// It only sharpens the explanations of Apple's refusals.
        public var servicesIDs: Set<ClientID>?
        /// The key that client secrets are signed with; verifying alone needs none.
        public var key: ClientSecretKey?
        /// Where Apple is; an emulated one has another address, and every check stays.
        public var service: AppleService
        /// The domains whose addresses are relay addresses, whatever `is_private_email` says.
        public var relayDomains = RelayDomains.apple
        /// Where failures that no caller sees are told, such as keys that could not be refreshed.
        public var logger: Logger
        /// Where verifications, Apple's keys and requests to Apple are measured.
        public var metrics: any MetricsFactory = MetricsSystem.factory
        /// Who is told of spans; the requests to Apple carry the trace.
        public var tracer: (any Tracer)? = InstrumentationSystem.tracer

        /// Describes a server.
        ///
        /// - Parameters:
        ///   - clientIDs: its bundle identifiers and Services IDs.
        ///   - key: the key that client secrets are signed with; nil when tokens are only verified.
        ///   - service: where Apple is.
        ///   - logger: where failures that no caller sees are told.
        public init(
            clientIDs: [ClientID],
            key: ClientSecretKey? = nil,
            service: AppleService = .apple,
            logger: Logger = Logger(label: "sign-in-with-apple")
        ) {
            self.clientIDs = clientIDs
            self.key = key
            self.service = service
            self.logger = logger
        }
    }
}

extension AppleSignIn {
    /// Asks Apple whether a person still uses the app, at most once a day.
    ///
    /// It can be called at every request: less than a day after the last check it answers without
    /// asking. Two calls at the same time with the same date both ask.
    ///
    /// - Parameters:
    ///   - refreshToken: the token that came with a code.
    ///   - clientID: the client it was issued to.
    ///   - lastChecked: when it was redeemed or checked last, as stored beside the token; nil asks.
    /// - Returns: that it is good, that it was revoked, or when it is time to ask again.
    /// - Throws: `SignInError`: a retryable `apple_…` code when Apple can't say at the moment: the
    ///   person stays signed in, and the date stays as it is. `apple_refused_client`,
    ///   `apple_refused_grant` or `apple_refused_request` when Apple refuses this server or this use
    ///   of the token, which says nothing about the person. `CancellationError` when the task is
    ///   cancelled.
    public func validate(
        _ refreshToken: String,
        clientID: ClientID,
        lastChecked: Date?
    ) async throws -> RefreshValidation {
        if let lastChecked, let fresh = RefreshValidation(lastChecked: lastChecked, now: time.now) {
            return fresh
        }
        do {
            let grant = try await refresh(refreshToken, clientID: clientID)
            return .valid(grant, checkedAt: time.now)
        } catch let error as SignInError {
            guard let refusal = error.refusal,
                RevocationVerdict.isRevocation(refusal, of: refreshToken)
            else { throw error }
            return .revoked(error)
        }
    }
}
