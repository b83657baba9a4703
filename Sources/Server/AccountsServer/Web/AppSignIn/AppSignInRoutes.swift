import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import SignInWithApple

/// The sign-in to an app through the browser: request, confirmation and redirect.
///
/// A code is created only when the user posts the confirmation form, even right after a sign-in. An
/// app proves nothing about itself, so the user decides each time, and no redirect starts at Apple.
///
/// Source: [RFC 8252, sections 7 and 8.6](https://www.rfc-editor.org/rfc/rfc8252#section-8.6)
struct AppSignInRoutes: Sendable {
    private static let requestName = "request"
    private static let actionName = "action"
    private static let sessionName = "session"

    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, WebPath.signInApp, begin),
            Route(.get, WebPath.appConfirmation, ask),
            Route(.post, WebPath.appConfirmation, answer),
        ]
    }

    private func cookies(of request: Request) -> AppSignInCookies {
        AppSignInCookies(
            sealer: server.configuration.sealer,
            site: server.origins.cookies(of: request),
            time: server.time
        )
    }

    /// Returns the app whose request a return path names; nil for other paths.
    func origin(of returnPath: String, _ request: Request) -> AppOrigin? {
        guard let id = WebPath.appRequest(of: returnPath) else { return nil }
        return try? pending(id, request).origin
    }

    /// Returns the request of a tab, with its app.
    ///
    /// The settings may have changed: a redirect URI that is no longer configured gets no response.
    private func pending(
        _ id: String?,
        _ request: Request
    ) throws(ServerError) -> (request: KeptAppSignIn, origin: AppOrigin) {
        let pending = try cookies(of: request).pending(id, in: request)
        let (app, redirects) = (pending.request, server.configuration.appRedirects)
        guard let redirect = redirects.redirect(app.redirectURI, of: app.clientID) else {
            throw .appRedirectMismatch
        }
        return (
            pending, AppOrigin(requestID: pending.id, clientID: app.clientID, redirect: redirect)
        )
    }

    private func begin(_ request: Request) async throws -> Response {
        guard request.head.isNavigation else { throw RefusedSignIn.embedded }
        let publicHost = RedirectToPublicHost(origins: server.origins)
        if let redirect = publicHost.redirect(request, to: WebPath.signInApp) { return redirect }
        let asked: AppSignInRequest
        do {
            asked = try AppSignInRequest(request, server.configuration.appRedirects)
        } catch let error as AppSignInError {
            return .seeOther(self.address(of: error, request))
        }
        let visitor = try await server.authenticator.visitor(of: request)
        let refused = asked.needsSignIn ? visitor?.session.id : nil
        let cookies = cookies(of: request)
        let pending = cookies.begin(asked, refusing: refused)
        var response = Response.seeOther(WebPath.appConfirmation(of: pending.id))
        for field in try cookies.fields(beginning: pending, in: request) {
            response.headers.append(field)
        }
        return response
    }

    private func ask(_ request: Request) async throws -> Response {
        let (pending, origin) = try pending(request.parameter(Self.requestName), request)
        guard request.parameter(WebPath.errorParameter) == nil else {
            return try failed(pending, origin, request)
        }
        let visitor = try await server.authenticator.visitor(of: request)
        guard let visitor, pending.accepts(visitor.session) else {
            let page = SignInPage(
                offer: server.offer,
                returnPath: WebPath.appConfirmation(of: pending.id),
                app: origin
            )
            return try server.pages.response(page, to: request)
        }
        let page = AppConfirmationPage(app: origin, visitor: visitor)
        return try server.pages.response(page, to: request)
    }

    private func answer(_ request: Request) async throws -> Response {
        try server.authenticator.checkOwnPage(request)
        let form = try await PostedForm(request, time: server.time)
        let (found, origin) = try pending(try form.required(Self.requestName), request)
        var pending = found
        let action = try form.required(Self.actionName)
        if action == "cancel" {
            let address = address(of: pending, error: .accessDenied, request)
            return try ended(origin, with: address, request)
        }
        let visitor = try await server.authenticator.visitor(of: request)
        var again = Response.seeOther(WebPath.appConfirmation(of: pending.id))
        if action == "another" {
            pending.refusedSession = visitor?.session.id
            again.headers.append(try cookies(of: request).field(pending, in: request))
            return again
        }
        // Another tab may have signed in another user since the page was shown.
        guard action == "continue", let visitor, pending.accepts(visitor.session),
            form[Self.sessionName] == visitor.session.id.rawValue
        else { return again }
        let code = try await code(for: pending, visitor.session)
        let app = pending.request
        let address = address(app.redirectURI, [("code", code)], app.state, request)
        return try ended(origin, with: address, request)
    }

    private func code(for pending: KeptAppSignIn, _ session: Session) async throws -> String {
        do throws(AccountsError) {
            return try await server.accounts.makeAppCode(
                for: AppCodeBinding(
                    clientID: pending.request.clientID,
                    redirectURI: pending.request.redirectURI,
                    challenge: pending.request.challenge
                ),
                confirmedBy: session
            )
        } catch {
            var refusal = ServerError(error)
            refusal.remedy = .proceed(
                path: WebPath.appConfirmation(of: pending.id),
                button: "tryAgainButton"
            )
            throw refusal
        }
    }

    /// Returns a server error to the waiting app.
    ///
    /// RFC 6749, section 4.1.2.1: `server_error`.
    /// https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1
    private func failed(
        _ pending: KeptAppSignIn,
        _ origin: AppOrigin,
        _ request: Request
    ) throws -> Response {
        // Not with a redirect, which the `form-action` of Apple's page may forbid.
        let address = address(of: pending, error: .serverError, request)
        return try ended(origin, with: address, request, isRedirect: false)
    }

    /// Leads the browser to the app.
    ///
    /// A scheme gets a redirect, which the press of the button permits. A system may still not open it: the page therefore
    /// contains a link, and the request stays valid until it expires, so the link works again. Others get no redirect,
    /// because Chromium applies the `form-action` of our page to all that follow.
    private func ended(
        _ origin: AppOrigin,
        with address: String,
        _ request: Request,
        isRedirect: Bool = true
    ) throws -> Response {
        var response = try server.pages.response(
            AppReturnPage(app: origin, address: address),
            to: request
        )
        let isScheme = origin.redirect.kind == .privateUse
        if isScheme && isRedirect {
            response.status = .seeOther
            response.headers[.location] = address
        } else if let name = HTTPField.Name("Refresh") {
            response.headers[name] = "0; url=\(address)"
        }
        if !isScheme {
            for field in cookies(of: request).cleared(origin.requestID, in: request) {
                response.headers.append(field)
            }
        }
        return response
    }

    private func address(of error: AppSignInError, _ request: Request) -> String {
        address(error.redirectURI, [("error", error.code.rawValue)], error.state, request)
    }

    private func address(
        of pending: KeptAppSignIn,
        error: AppSignInError.Code,
        _ request: Request
    ) -> String {
        let redirectURI = pending.request.redirectURI
        return address(redirectURI, [("error", error.rawValue)], pending.request.state, request)
    }

    /// Returns the redirect URI with the response; `iss` names the server to the app.
    ///
    /// Source: [RFC 9207, section 2](https://www.rfc-editor.org/rfc/rfc9207#section-2)
    private func address(
        _ redirectURI: String,
        _ answer: [(name: String, value: String)],
        _ state: String?,
        _ request: Request
    ) -> String {
        let issuer = server.origins.origin(of: request).serialized
        var fields = answer
        if let state { fields.append(("state", state)) }
        fields.append(("iss", issuer))
        return "\(redirectURI)?" + FormCoding.encode(fields)
    }
}
