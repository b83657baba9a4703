import AccountsAccessTokens
import HTTPTypes
import Hummingbird
import SignInWithApple

/// A request context with the access token of the request.
public protocol AccessTokenContext: RequestContext {
    /// The verified token, which ``AccessTokenMiddleware`` sets.
    var accessToken: VerifiedAccessToken? { get set }
}

/// Rejects requests without a valid access token of your accounts server.
///
/// A request without a valid token gets status 401. If the server's keys cannot be fetched, it gets 503.
///
/// Source: [RFC 6750, section 3](https://www.rfc-editor.org/rfc/rfc6750#section-3)
public struct AccessTokenMiddleware<Context: AccessTokenContext>: RouterMiddleware {
    private let verifier: AccessTokenVerifier

    /// Creates the middleware.
    ///
    /// - Parameter verifier: verifies the tokens for this service.
    public init(_ verifier: AccessTokenVerifier) { self.verifier = verifier }

    /// Verifies the token, stores it in the context, and calls the next responder.
    ///
    /// - Parameters:
    ///   - request: the request with the token.
    ///   - context: its context.
    ///   - next: the next responder.
    /// - Returns: the response of the next responder.
    /// - Throws: `HTTPError` or `SignInError` with the status of a rejected request, or an error of the next responder.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        do {
            context.accessToken = try await verifier.verify(
                authorization: request.headers[.authorization]
            )
        } catch let error as SignInError where !error.isRetryable {
            throw Self.rejection(error)
        }
        guard context.accessToken != nil else { throw Self.rejection(nil) }
        return try await next(request, context)
    }

    private static func rejection(_ error: SignInError?) -> HTTPError {
        HTTPError(
            .unauthorized,
            headers: [.wwwAuthenticate: AccessTokenVerifier.challenge(error)],
            message: error?.message ?? "The request has no access token."
        )
    }
}
