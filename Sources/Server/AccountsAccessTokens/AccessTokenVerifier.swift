import AppleIdentity
import CoreMetrics
import Foundation
import HTTPTypes
import Logging
import SignInWithApple

/// Verifies the access tokens that an accounts server issues for your services.
///
/// Create one instance at startup and share it: it caches the server's keys for at least five minutes.
/// It sends no other request, so a token stays valid until it expires, even if its session has ended.
/// While the server cannot be reached, the keys that it published last stay in use, for up to a day after they expired.
///
/// Source: [RFC 9068, section 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)
public struct AccessTokenVerifier: Sendable {
    private let issuer: String
    private let audience: String
    private let keys: KeyCache
    private let time: TimeSource

    /// Creates a verifier, which sends no request before it needs a key.
    ///
    /// - Parameters:
    ///   - issuer: the public URL of the accounts server, exactly as in `SIWA_PUBLIC_URL`.
    ///   - audience: the name of this service, one of the server's `SIWA_TOKEN_AUDIENCES`.
    ///   - keysURL: the URL of the keys if this service reaches the accounts server by another name than the issuer, such
    ///     as `http://accounts:8080/.well-known/jwks.json` in a container network; nil for the issuer's. Use `http` only
    ///     in a network that you trust: a server that can change the response can sign tokens.
    ///   - transport: sends the requests for the keys; over the network by default.
    ///   - logger: logs failed requests for the keys.
    ///   - metrics: measures the requests for the keys, as `siwa_access_token_key_…`; nil for the backend of
    ///     `MetricsSystem` when it is first used.
    /// - Throws: `configuration_invalid` if the issuer is neither an `https` URL nor an `http` URL of a loopback host,
    ///   or if `keysURL` is not an absolute URL with `https` or `http`.
    public init(
        issuer: String,
        audience: String,
        keysURL: URL? = nil,
        transport: AppleTransport = .live(),
        logger: Logger = Logger(label: "sign-in-with-apple"),
        metrics: (any MetricsFactory)? = nil
    ) throws(SignInError) {
        try self.init(
            issuer: issuer,
            audience: audience,
            keysURL: keysURL,
            transport: transport,
            logger: logger,
            metrics: metrics,
            time: .live
        )
    }

    /// Creates a verifier with a clock that tests can set.
    package init(
        issuer: String,
        audience: String,
        keysURL: URL? = nil,
        transport: AppleTransport,
        logger: Logger = Logger(label: "sign-in-with-apple"),
        metrics: (any MetricsFactory)? = nil,
        time: TimeSource
    ) throws(SignInError) {
        guard let url = URL(string: issuer), AppleService(url: url).addressMistake == nil else {
            throw Self.misconfigured(
                "issuer",
                issuer,
                "an https URL, nor an http URL of this machine"
            )
        }
        // Any host may use http here: a network of containers often has no TLS.
        let service = AppleService.emulator(url: keysURL ?? url.appending(path: Self.keysPath))
        guard service.addressMistake == nil else {
            throw Self.misconfigured("keysURL", service.url.absoluteString, "an https or http URL")
        }
        self.issuer = issuer
        self.audience = audience
        self.time = time
        keys = KeyCache(
            exchange: AppleExchange(
                service: service,
                transport: transport,
                time: time,
                metrics: metrics
            ),
            time: time,
            logger: logger,
            source: .accountsServer,
            metrics: metrics
        )
    }

    private static let keysPath = ".well-known/jwks.json"

    private static func misconfigured(
        _ setting: String,
        _ value: String,
        _ rule: String
    ) -> SignInError {
        SignInError(
            .configurationInvalid,
            message: "The check of access tokens is not configured correctly.",
            hint: "the \(setting) \(Excerpt.quoting(value)) is not \(rule)"
        )
    }

    /// Verifies an access token.
    ///
    /// - Parameter accessToken: the token as a compact JWS, from the field `Authorization: Bearer`.
    /// - Returns: what the token says about the account and the session.
    /// - Throws: `SignInError`: a `token_…` code for the first check that fails, or `keys_unavailable`.
    ///   `CancellationError` if the task is cancelled.
    public func verify(_ accessToken: String) async throws -> VerifiedAccessToken {
        do {
            let received = try ReceivedAccessToken(accessToken)
            let key = try await keys.key(named: received.keyID)
            return VerifiedAccessToken(
                try received.verified(with: key, issuer: issuer, audience: audience, at: time.now)
            )
        } catch let error as SignInError {
            throw error.worded(for: .accessToken)
        }
    }

    /// Verifies the access token of a request.
    ///
    /// - Parameter field: the value of the request's `Authorization` field; nil if it has none.
    /// - Returns: what the token says; nil if the field has no Bearer token.
    /// - Throws: the errors of ``verify(_:)``. Respond to a retryable one with status 503, to another with 401 and
    ///   ``challenge(_:)``.
    ///
    /// Source: [RFC 6750, section 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)
    public func verify(authorization field: String?) async throws -> VerifiedAccessToken? {
        guard let token = field.flatMap(HTTPRequest.bearerToken) else { return nil }
        return try await verify(token)
    }

    /// Creates the field `WWW-Authenticate` of a response with status 401.
    ///
    /// - Parameter error: the error of the token; nil if the request had none.
    /// - Returns: the value of the field.
    ///
    /// Source: [RFC 6750, section 3](https://www.rfc-editor.org/rfc/rfc6750#section-3)
    public static func challenge(_ error: SignInError?) -> String {
        guard let error else { return "Bearer" }
        return #"Bearer error="invalid_token", error_description="\#(error.message)""#
    }
}
