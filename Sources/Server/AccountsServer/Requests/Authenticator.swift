import Accounts
import HTTPTypes
import Hummingbird
import SignInWithApple

/// Authenticates requests.
struct Authenticator: Sendable {
    let accounts: AccountsService
    let origins: OriginChoice
    let allowedOrigins: AllowedOrigins

    /// Returns the session of a JSON request: from its Bearer token, or from a browser's cookie.
    func session(of request: Request) async throws -> SignedInSession {
        try await accounts.session(token: token(of: request))
    }

    /// Returns the session of a JSON request if it is in memory.
    func rememberedSession(of request: Request) -> SignedInSession? {
        (try? token(of: request)).flatMap { accounts.rememberedSession(token: $0) }
    }

    private func token(of request: Request) throws -> String {
        if let token = request.head.bearerToken { return token }
        guard let token = cookieToken(of: request) else { throw ServerError.notSignedIn }
        if request.method != .get, request.method != .head,
            !allowedOrigins.acceptsCookie(of: request)
        {
            try checkOwnPage(request)
        }
        return token
    }

    /// Returns the session of a page's visitor; nil when the visitor is not signed in.
    func visitor(of request: Request) async throws -> SignedInSession? {
        guard let token = cookieToken(of: request) else { return nil }
        do {
            return try await accounts.session(token: token)
        } catch  where error.code == .sessionInvalid {
            return nil
        }
    }

    /// Whether a browser sent the cookie of a session.
    func hasCookie(_ request: Request) -> Bool { cookieToken(of: request) != nil }

    private func cookieToken(of request: Request) -> String? {
        request.head.sessionCookieToken(origins.cookies(of: request))
    }

    /// Throws an error for a change that does not come from a page of this server.
    func checkOwnPage(_ request: Request) throws {
        guard request.head.isFromOwnPage(at: origins.origin(of: request).serialized) else {
            throw RefusedSignIn.crossSiteRequest
        }
    }
}
