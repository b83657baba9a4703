import Accounts
import HTTPTypes
import Hummingbird

/// Finds out who asks.
struct Authenticator: Sendable {
    /// Who asks, and how they showed it.
    struct Caller: Sendable {
        let session: Session
        let account: Account
    }

    let accounts: AccountsService
    let browsers: BrowserGuard

    /// The caller of the interface for programs: a Bearer token, or a browser's cookie.
    ///
    /// - Throws: 401 without either, 403 for a change that another site asked for.
    func caller(of request: Request) async throws -> Caller {
        if request.headers[.authorization] != nil {
            guard let token = Self.bearerToken(of: request) else {
                throw ServerError.notSignedIn
            }
            return try await caller(token: token)
        }
        guard let token = SessionCookie.token(in: request) else { throw ServerError.notSignedIn }
        if request.method != .get, request.method != .head { try browsers.check(request) }
        return try await caller(token: token)
    }

    /// The token that a program sends along; nil when there is none, or one of another scheme.
    static func bearerToken(of request: Request) -> String? {
        // RFC 6750, section 2.1: the scheme, one space, the token. The query is never looked at.
        // https://www.rfc-editor.org/rfc/rfc6750#section-2.1
        let parts = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    /// The person in front of a page; nil when nobody is signed in.
    func visitor(of request: Request) async throws -> Caller? {
        guard let token = SessionCookie.token(in: request) else { return nil }
        do {
            return try await caller(token: token)
        } catch let error as AccountsError where error.code == .sessionInvalid {
            return nil
        }
    }

    private func caller(token: String) async throws -> Caller {
        let (session, account) = try await accounts.authenticate(token)
        return Caller(session: session, account: account)
    }
}
