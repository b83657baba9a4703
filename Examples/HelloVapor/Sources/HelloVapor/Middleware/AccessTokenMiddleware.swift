import AccountsAccessTokens
import SignInWithApple
import Vapor

/// Rejects requests without a valid access token; copy it into a service beside an accounts server.
///
/// A route finds the token with `request.auth.require(VerifiedAccessToken.self)`.
struct AccessTokenMiddleware: AsyncMiddleware {
    let verifier: AccessTokenVerifier

    func respond(
        to request: Request,
        chainingTo next: any AsyncResponder
    ) async throws -> Response {
        do {
            let field = request.headers.first(name: .authorization)
            guard let token = try await verifier.verify(authorization: field) else {
                throw Self.rejection(nil)
            }
            request.auth.login(token)
        } catch let error as SignInError {
            throw Self.rejection(error)
        }
        return try await next.respond(to: request)
    }

    private static func rejection(_ error: SignInError?) -> Abort {
        guard let error, error.isRetryable else {
            let challenge = AccessTokenVerifier.challenge(error)
            let reason = error?.message ?? "The request has no access token."
            return Abort(.unauthorized, headers: ["WWW-Authenticate": challenge], reason: reason)
        }
        return Abort(.serviceUnavailable, reason: error.message)
    }
}

extension VerifiedAccessToken: @retroactive Authenticatable {}
