import Accounts
import AppleIdentity
import Foundation
import Hummingbird

/// Functions that the routes of several pages share.
extension ServerParts {
    /// Makes a change that a signed-in user requests on a page of this server.
    func changing(
        _ request: Request,
        _ change: (SignedInSession) async throws -> Response
    ) async throws -> Response {
        try authenticator.checkOwnPage(request)
        guard let visitor = try await authenticator.visitor(of: request) else {
            return signInFirst(request)
        }
        return try await change(visitor)
    }

    /// Whether the session's sign-in is recent enough for the actions that require it.
    func isRecent(_ session: Session) -> Bool { accounts.isRecent(session) }

    /// Whether a visitor may replace or remove the password without knowing it.
    func isPasswordReplaceable(by visitor: SignedInSession) -> Bool {
        isRecent(visitor.session) && visitor.account.isPasswordReplaceable(in: visitor.session)
    }

    /// Returns the account page without an open form.
    func accountPage(of visitor: SignedInSession) async throws -> AccountPage {
        AccountPage(
            visitor: visitor,
            sessions: try await accounts.sessions(of: visitor.session),
            offer: offer,
            isRecent: isRecent(visitor.session),
            now: time.now
        )
    }

    /// Returns the account page with a refused form, its values and the error.
    func refused(
        _ part: AccountPage.Part?,
        _ error: AccountsError,
        _ posted: PostedForm,
        _ visitor: SignedInSession,
        _ request: Request
    ) async throws -> Response {
        var page = try await accountPage(of: visitor)
        page.refused = AccountPage.Refusal(part: part, error: ServerError(error), posted: posted)
        return try pages.response(page, to: request)
    }
}
