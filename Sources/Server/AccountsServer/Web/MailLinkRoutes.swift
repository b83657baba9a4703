import Accounts
import HTTPTypes
import Hummingbird

/// The forgotten password, and the pages that emailed links open.
///
/// Opening a link changes nothing, because mail scanners follow links too.
struct MailLinkRoutes: Sendable {
    private static let sentParameter = "sent"
    private static let tokenName = WebPath.tokenParameter

    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, WebPath.forgottenPassword) { request, _ in try forgottenPage(request)
            },
            Route(.post, WebPath.forgottenPassword, askReset),
            Route(.get, WebPath.resetPassword, newPasswordPage),
            Route(.post, WebPath.resetPassword, reset),
            Route(.get, WebPath.undoChange, undoPage),
            Route(.post, WebPath.undoChange, undo),
            Route(.get, WebPath.verifyEmail, verificationPage),
            Route(.post, WebPath.verifyEmail, verify),
        ]
    }

    private func forgottenPage(_ request: Request) throws -> Response {
        guard server.hasMail else { throw ServerError.mailUnavailable }
        let isSent = request.parameter(Self.sentParameter) != nil
        return try server.pages.response(ForgottenPasswordPage(isSent: isSent), to: request)
    }

    private func askReset(_ request: Request, _ context: ServerContext) async throws -> Response {
        try server.authenticator.checkOwnPage(request)
        let form = try await PostedForm(request, time: server.time)
        let name = try form.required("username")
        guard server.hasMail else { throw ServerError.mailUnavailable }
        do throws(AccountsError) {
            try await server.accounts.requestPasswordReset(
                for: name,
                client: server.client(of: request, context)
            )
        } catch {
            let page = ForgottenPasswordPage(refused: (ServerError(error), form))
            return try server.pages.response(page, to: request)
        }
        return .seeOther("\(WebPath.forgottenPassword)?\(Self.sentParameter)")
    }

    private func newPasswordPage(_ request: Request) async throws -> Response {
        let token = try token(of: request, WebPath.forgottenPassword)
        do throws(AccountsError) {
            try await server.accounts.checkReset(token: token)
        } catch {
            throw error.code == .linkInvalid
                ? ServerError.linkInvalid(error, newLinkAt: WebPath.forgottenPassword)
                : ServerError(error)
        }
        return try server.pages.response(NewPasswordPage(token: token), to: request)
    }

    private func reset(_ request: Request, _ context: ServerContext) async throws -> Response {
        try server.authenticator.checkOwnPage(request)
        let form = try await PostedForm(request, time: server.time)
        let token = try form.required(Self.tokenName)
        let password = try form.required(FormField.newPasswordName)
        let account: Account
        do throws(AccountsError) {
            account = try await server.accounts.resetPassword(
                token: token,
                to: password,
                client: server.client(of: request, context)
            )
        } catch {
            guard error.code != .linkInvalid else {
                throw ServerError.linkInvalid(error, newLinkAt: WebPath.forgottenPassword)
            }
            let page = NewPasswordPage(token: token, refused: (ServerError(error), form))
            return try server.pages.response(page, to: request)
        }
        // The username and the Apple link are not in the URL, which others could write or read.
        var page = SignInPage(offer: server.offer, notice: .passwordReset)
        page.username = account.username ?? ""
        page.appleLinkedAt = account.apple?.linkedAt
        var response = try server.pages.response(page, to: request)
        server.endSession(in: &response, request)
        await server.rememberDevice(of: account, in: &response, request)
        return response
    }

    private func undoPage(_ request: Request) async throws -> Response {
        let token = try token(of: request, nil)
        let account = try await server.accounts.account(undoToken: token)
        let page = ChangeUndoPage(token: token, account: account)
        return try server.pages.response(page, to: request)
    }

    private func undo(_ request: Request, _ context: ServerContext) async throws -> Response {
        try server.authenticator.checkOwnPage(request)
        let form = try await PostedForm(request, time: server.time)
        let token = try form.required(Self.tokenName)
        let before = try await server.accounts.account(undoToken: token)
        let account: Account
        do throws(AccountsError) {
            account = try await server.accounts.undoChange(
                token: token,
                newPassword: form[FormField.newPasswordName].flatMap { $0.isEmpty ? nil : $0 },
                client: server.client(of: request, context)
            )
        } catch {
            var page = ChangeUndoPage(token: token, account: before)
            page.refused = (ServerError(error), form)
            return try server.pages.response(page, to: request)
        }
        var page = SignInPage(offer: server.offer, notice: .changeUndone)
        page.username = account.username ?? ""
        page.warnings =
            (account.apple?.person == before.apple?.person ? [] : ["undoneElsewhere"])
            + (account.username == before.username ? [] : ["undoneUsernameTaken"])
        var response = try server.pages.response(page, to: request)
        server.endSession(in: &response, request)
        await server.rememberDevice(of: account, in: &response, request)
        return response
    }

    private func verificationPage(_ request: Request) async throws -> Response {
        let token = try token(of: request, WebPath.account)
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return server.signInFirst(request, returningTo: WebPath.verifyEmail(token: token))
        }
        guard let address = visitor.account.pendingEmail?.address else {
            let error = AccountsError(.linkInvalid, hint: "no email address is pending")
            throw ServerError.linkInvalid(error, newLinkAt: WebPath.account)
        }
        let page = VerificationPage(token: token, address: address)
        return try server.pages.response(page, to: request)
    }

    private func verify(_ request: Request, _ context: ServerContext) async throws -> Response {
        try server.authenticator.checkOwnPage(request)
        let form = try await PostedForm(request, time: server.time)
        let token = try form.required(Self.tokenName)
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return server.signInFirst(request, returningTo: WebPath.verifyEmail(token: token))
        }
        do throws(AccountsError) {
            _ = try await server.accounts.verifyEmail(
                token: token,
                requestedBy: visitor.session,
                client: server.client(of: request, context)
            )
        } catch {
            throw error.code == .linkInvalid
                ? ServerError.linkInvalid(error, newLinkAt: WebPath.account) : ServerError(error)
        }
        return .seeOther(Notice.emailVerified.accountPath)
    }

    /// Returns the token of the link, which is verified when the form is posted.
    private func token(of request: Request, _ path: String?) throws(ServerError) -> String {
        guard let token = request.parameter(Self.tokenName),
            !token.isEmpty, token.utf8.count <= ServerLimits.maximumIdentifierByteCount
        else {
            let error = AccountsError(.linkInvalid, hint: "the URL has no token of valid length")
            throw .linkInvalid(error, newLinkAt: path)
        }
        return token
    }
}

extension ServerError {
    /// Returns the same error, with a button to request another link; without one if there is no path.
    fileprivate static func linkInvalid(
        _ error: AccountsError,
        newLinkAt path: String?
    ) -> ServerError {
        var error = ServerError(error)
        if let path { error.remedy = .proceed(path: path, button: "newLinkButton") }
        return error
    }

    fileprivate static let mailUnavailable = ServerError(
        AccountsError(.mailUnavailable, hint: "SIWA_SMTP_URL is not set")
    )
}
