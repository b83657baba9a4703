import Accounts
import HTTPTypes
import Hummingbird
import SignInWithAppleHummingbird

/// The sign-in page, and signing out.
struct SignInRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, WebPath.signIn) { request, _ in try await signInPage(request) },
            Route(.post, WebPath.signOut) { request, _ in try await signOut(request) },
        ]
    }

    private func signInPage(_ request: Request) async throws -> Response {
        if try await server.authenticator.visitor(of: request) != nil {
            return .seeOther(WebPath.account)
        }
        let notice = request.uri.queryParameters["notice"].flatMap { Notice(rawValue: String($0)) }
        let page = SignInPage(
            notice: notice,
            hasAppleButton: server.configuration.servicesID != nil
        )
        return try server.pages.response(page, to: request)
    }

    private func signOut(_ request: Request) async throws -> Response {
        try server.authenticator.checkOwnPage(request)
        if let visitor = try await server.authenticator.visitor(of: request) {
            try await server.accounts.signOut(visitor.session)
        }
        return .leaving(.signedOut)
    }
}

/// A word to the person on the sign-in page about what just happened; a fixed choice, never text from the
/// address.
enum Notice: String, CaseIterable, Sendable {
    case cancelled
    case signedOut = "signed-out"
    case deleted

    /// The sign-in page with this notice.
    var path: String { "\(WebPath.signIn)?notice=\(rawValue)" }
}

extension Response {
    /// Sends a browser that is not signed in any more to the sign-in page.
    static func leaving(_ notice: Notice) -> Response {
        var response = Response.seeOther(notice.path)
        response.headers.append(SignInSession.clearedCookie)
        if let name = HTTPField.Name("Clear-Site-Data") {
            // Not "cookies": that would reach the cookies of neighbouring names as well.
            response.headers[name] = "\"storage\""
        }
        return response
    }

    /// Sends a browser that is not signed in to where it can be, and drops a cookie that opens nothing.
    static var signInFirst: Response {
        var response = Response.seeOther(WebPath.signIn)
        response.headers.append(SignInSession.clearedCookie)
        return response
    }
}
