import Accounts
import HTTPTypes
import Hummingbird
import SignInWithApple

/// The routes to sign in with a password, create an account, and sign out.
struct SignInRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, WebPath.signIn, signInPage),
            // Apple's response is a POST; a GET comes from the browser's address field or history.
            Route(.get, WebPath.callback) { _ in .seeOther(WebPath.signIn) },
            Route(.post, WebPath.signInPassword, signIn),
            Route(.get, WebPath.newAccount, newAccountPage),
            Route(.post, WebPath.newAccount, createAccount),
            Route(.get, WebPath.confirmation, confirmationPage),
            Route(.post, WebPath.signOut, signOut),
        ]
    }

    private func signInPage(_ request: Request) async throws -> Response {
        if try await server.authenticator.visitor(of: request) != nil {
            return .seeOther(request.returnPath)
        }
        var page = SignInPage(
            offer: server.offer,
            notice: Notice(of: request),
            returnPath: request.returnPath
        )
        page.confirmedAddress = await confirmedAddress(of: request.returnPath)
        return try server.pages.response(page, to: request)
    }

    /// The address that the sign-in leads to confirm; nil for other sign-ins and for a link that is not valid.
    private func confirmedAddress(of path: String) async -> String? {
        guard let token = WebPath.verificationToken(of: path) else { return nil }
        return try? await server.accounts.address(verifiedBy: token)
    }

    private func signIn(_ request: Request, _ context: ServerContext) async throws -> Response {
        try server.authenticator.checkOwnPage(request)
        let form = try await PostedForm(request, time: server.time)
        let returnPath = WebPath.returnPath(try form.optional(ReturnPath.parameter))
        let (username, password) = (try form.required("username"), try form.required("password"))
        let receipt: SignInReceipt
        do throws(AccountsError) {
            receipt = try await server.signIn(username, password, request, context)
        } catch {
            return try await refused(ServerError(error), form, returnPath, request)
        }
        return try await signedIn(receipt, returningTo: returnPath, request)
    }

    /// Shows the refused form on its page: the sign-in page, or the page to sign in again.
    private func refused(
        _ error: ServerError,
        _ form: PostedForm,
        _ returnPath: String,
        _ request: Request
    ) async throws -> Response {
        let app = AppSignInRoutes(server: server).origin(of: returnPath, request)
        guard let visitor = try await server.authenticator.visitor(of: request), app == nil else {
            var page = SignInPage(
                offer: server.offer,
                returnPath: returnPath,
                refused: (error, form),
                app: app
            )
            page.confirmedAddress = await confirmedAddress(of: returnPath)
            return try server.pages.response(page, to: request)
        }
        let proof = FreshProof(
            account: visitor.account,
            offer: server.offer,
            returnPath: returnPath
        )
        let page = ConfirmationPage(proof: proof, refused: (error, form))
        return try server.pages.response(page, to: request)
    }

    private func newAccountPage(_ request: Request) async throws -> Response {
        if try await server.authenticator.visitor(of: request) != nil {
            return .seeOther(WebPath.account)
        }
        return try server.pages.response(NewAccountPage(offer: server.offer), to: request)
    }

    private func createAccount(_ request: Request, _ context: ServerContext) async throws
        -> Response
    {
        try server.authenticator.checkOwnPage(request)
        let form = try await PostedForm(request, time: server.time)
        let returnPath = WebPath.returnPath(try form.optional(ReturnPath.parameter))
        let registration = PasswordRegistration(
            username: try form.required("username"),
            password: try form.required("password"),
            name: try form.optional("name"),
            email: try form.optional("email"),
            client: server.client(of: request, context)
        )
        let receipt: SignInReceipt
        do throws(AccountsError) {
            receipt = try await server.createAccount(registration)
        } catch {
            return try refusedAccount(ServerError(error), form, returnPath, request)
        }
        return try await signedIn(receipt, returningTo: returnPath, request)
    }

    /// Shows the refused form for a new account on its page.
    private func refusedAccount(
        _ error: ServerError,
        _ form: PostedForm,
        _ returnPath: String,
        _ request: Request
    ) throws -> Response {
        guard form[NewAccountForm.pageParameter] == NewAccountForm.signInPage else {
            let page = NewAccountPage(offer: server.offer, refused: (error, form))
            return try server.pages.response(page, to: request)
        }
        let page = SignInPage(
            offer: server.offer,
            returnPath: returnPath,
            app: AppSignInRoutes(server: server).origin(of: returnPath, request),
            refusedAccount: (error, form)
        )
        return try server.pages.response(page, to: request)
    }

    private func confirmationPage(_ request: Request) async throws -> Response {
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return server.signInFirst(request)
        }
        let proof = FreshProof(
            account: visitor.account,
            offer: server.offer,
            returnPath: request.returnPath
        )
        return try server.pages.response(ConfirmationPage(proof: proof), to: request)
    }

    private func signOut(_ request: Request, _ context: ServerContext) async throws -> Response {
        try server.authenticator.checkOwnPage(request)
        if let visitor = try await server.authenticator.visitor(of: request) {
            try await server.accounts.signOut(
                visitor.session,
                client: server.client(of: request, context)
            )
        }
        return server.leaving(.signedOut, request)
    }

    /// Sets the browser's session; pending sign-ins of other tabs replace it when they complete.
    private func signedIn(
        _ receipt: SignInReceipt,
        returningTo path: String,
        _ request: Request
    ) async throws -> Response {
        let lifetime = server.accounts.configuration.sessionAbsoluteLimit
        let session = WebSession(token: receipt.token.text, lifetime: .seconds(Int(lifetime)))
        var response = Response.seeOther(path)
        response.headers.append(session.cookie(server.origins.cookies(of: request)))
        await server.rememberDevice(of: receipt.account, in: &response, request)
        if let web = AppleRoutes(server: server).web {
            response.headers.append(
                contentsOf: server.apple.pendingSignIns(
                    of: web,
                    following: session,
                    in: request.head
                )
            )
        }
        return response
    }
}

extension ServerParts {
    /// Redirects a browser whose session has ended to the sign-in page.
    func leaving(_ notice: Notice, _ request: Request) -> Response {
        var response = Response.seeOther(notice.path)
        endSession(in: &response, request)
        return response
    }

    /// Deletes the browser's data about its session.
    func endSession(in response: inout Response, _ request: Request) {
        response.headers.append(WebSession.clearedCookie(origins.cookies(of: request)))
        if let name = HTTPField.Name("Clear-Site-Data") {
            // Not "cookies", which would also delete the cookies of neighbouring host names.
            response.headers[name] = "\"storage\""
        }
    }

    /// Redirects to the sign-in page, which tells a browser with a cookie that its session has ended.
    func signInFirst(_ request: Request, returningTo path: String = WebPath.account) -> Response {
        let hasCookie = authenticator.hasCookie(request)
        let notice = hasCookie ? Notice.sessionEnded : nil
        var response = Response.seeOther(WebPath.signIn(returningTo: path, notice: notice))
        // A request of another site has no cookie, and must not delete the one of the browser.
        guard hasCookie else { return response }
        response.headers.append(WebSession.clearedCookie(origins.cookies(of: request)))
        return response
    }
}
