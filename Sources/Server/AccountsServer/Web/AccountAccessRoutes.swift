import Accounts
import HTTPTypes
import Hummingbird

/// The forms of the account page for the email address, the password, Apple and the user's data.
struct AccountAccessRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, WebPath.changePassword) { _, _ in
                .seeOther(AccountPage.Part.password.path)
            },
            Route(.post, WebPath.password, changePassword),
            Route(.post, WebPath.passwordRemoval, removePassword),
            Route(.post, WebPath.email, changeEmail),
            Route(.post, WebPath.verification, sendLink),
            Route(.post, WebPath.cancelEmailChange, cancelEmailChange),
            Route(.get, WebPath.apple, applePage),
            Route(.post, WebPath.unlinkApple, unlink),
            Route(.get, WebPath.export, export),
        ]
    }

    private func changePassword(_ request: Request, _ context: ServerContext) async throws
        -> Response
    {
        try await server.changing(request) { visitor in
            let form = try await PostedForm(request, time: server.time)
            let isFirst = visitor.account.username == nil
            let isReplaceable = server.isPasswordReplaceable(by: visitor)
            let username = isFirst ? try form.required("username") : nil
            let asksCurrent = !isFirst && !isReplaceable
            let current = asksCurrent ? try form.required("current_password") : nil
            let password = try form.required(FormField.newPasswordName)
            let account: Account
            do throws(AccountsError) {
                account = try await server.accounts.changePassword(
                    username: username,
                    from: current,
                    to: password,
                    requestedBy: visitor.session,
                    client: server.client(of: request, context)
                )
            } catch {
                return try await answer(to: error, .password, form, visitor, request)
            }
            var response = Response.seeOther(Notice.passwordChanged.accountPath)
            await server.rememberDevice(of: account, in: &response, request)
            return response
        }
    }

    private func removePassword(_ request: Request, _ context: ServerContext) async throws
        -> Response
    {
        try await server.changing(request) { visitor in
            let form = try await PostedForm(request, time: server.time)
            do throws(AccountsError) {
                _ = try await server.accounts.removePassword(
                    requestedBy: visitor.session,
                    client: server.client(of: request, context)
                )
            } catch {
                return try await answer(to: error, .password, form, visitor, request)
            }
            return .seeOther(Notice.passwordRemoved.accountPath)
        }
    }

    private func changeEmail(_ request: Request, _ context: ServerContext) async throws -> Response
    {
        try await server.changing(request) { visitor in
            let form = try await PostedForm(request, time: server.time)
            let address = try form.required("email")
            do throws(AccountsError) {
                _ = try await server.accounts.changeEmail(
                    to: address,
                    of: visitor.account,
                    requestedBy: visitor.session,
                    client: server.client(of: request, context)
                )
            } catch {
                return try await answer(to: error, .email, form, visitor, request)
            }
            return .seeOther(Notice.linkSent.accountPath)
        }
    }

    private func sendLink(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await server.changing(request) { visitor in
            try await server.accounts.requestVerification(
                of: visitor.account,
                requestedBy: visitor.session,
                client: server.client(of: request, context)
            )
            return .seeOther(Notice.linkSent.accountPath)
        }
    }

    private func cancelEmailChange(_ request: Request, _ context: ServerContext) async throws
        -> Response
    {
        try await server.changing(request) { visitor in
            try await server.accounts.cancelEmailChange(
                requestedBy: visitor.session,
                client: server.client(of: request, context)
            )
            return .seeOther(Notice.emailChangeCancelled.accountPath)
        }
    }

    private func applePage(_ request: Request) async throws -> Response {
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return server.signInFirst(request, returningTo: WebPath.apple)
        }
        let page = AppleLinkPage(visitor: visitor, offer: server.offer)
        guard page.isOffered else { return .seeOther(WebPath.account) }
        guard server.isRecent(visitor.session) else {
            return .seeOther(WebPath.confirmation(returningTo: WebPath.apple))
        }
        return try server.pages.response(page, to: request)
    }

    private func unlink(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await server.changing(request) { visitor in
            guard server.isRecent(visitor.session) else {
                return .seeOther(WebPath.confirmation(returningTo: WebPath.apple))
            }
            _ = try await server.accounts.unlinkApple(
                requestedBy: visitor.session,
                client: server.client(of: request, context)
            )
            return .seeOther(Notice.appleUnlinked.accountPath)
        }
    }

    private func export(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return server.signInFirst(request)
        }
        let export = try await server.accounts.export(
            of: visitor.session,
            client: server.client(of: request, context)
        )
        var response = Response.json(ExportDocument(export, requestedBy: visitor.session).object)
        response.headers[.contentDisposition] = "attachment; filename=\"account.json\""
        return response
    }

    /// Responds to a refused form: with a page to sign in again, or with the form and the error.
    private func answer(
        to error: AccountsError,
        _ part: AccountPage.Part,
        _ form: PostedForm,
        _ visitor: SignedInSession,
        _ request: Request
    ) async throws -> Response {
        switch error.code {
        case .recentSignInRequired: .seeOther(WebPath.confirmation(returningTo: part.path))
        case .sessionInvalid: server.signInFirst(request)
        default: try await server.refused(part, error, form, visitor, request)
        }
    }
}
