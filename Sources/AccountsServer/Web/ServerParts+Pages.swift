import Accounts
import AppleIdentity
import Foundation
import Hummingbird

/// What the routes of several pages do alike.
extension ServerParts {
    /// Makes a change that a signed-in person asks for on an own page.
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

    /// Whether the session's sign-in is fresh enough for the steps that need it.
    func isRecent(_ session: Session) -> Bool {
        time.now.timeIntervalSince(session.signedInAt) <= accounts.configuration.recentSignInLimit
    }

    /// The account page as the person sees it without having done anything.
    func accountPage(of visitor: SignedInSession) async throws -> AccountPage {
        AccountPage(
            visitor: visitor,
            sessions: try await accounts.sessions(of: visitor.session),
            offer: offer,
            isRecent: isRecent(visitor.session),
            now: time.now
        )
    }

    /// The account page again, with what the person typed and what is wrong with it.
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
