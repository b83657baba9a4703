import Accounts
import HTTPTypes
import Hummingbird

/// The account pages and their forms.
struct AccountPageRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, WebPath.account, accountPage),
            Route(.post, WebPath.name, rename),
            Route(.post, WebPath.endSession) { try await endSession($0, $1) },
            Route(.post, WebPath.endOtherSessions, endOtherSessions),
            Route(.get, WebPath.deletion, deletionPage),
            Route(.post, WebPath.deletion, delete),
        ]
    }

    private func accountPage(_ request: Request) async throws -> Response {
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return server.signInFirst(request)
        }
        var page = try await server.accountPage(of: visitor)
        page.notice = Notice(of: request)
        page.isSaved = request.parameter("saved") != nil
        page.openPart = request.parameter(AccountPage.Part.parameter)
            .flatMap(AccountPage.Part.init)
        return try server.pages.response(page, to: request)
    }

    private func rename(_ request: Request) async throws -> Response {
        try await server.changing(request) { visitor in
            let form = try await PostedForm(request, time: server.time)
            let name = try form.required("name")
            let isEmpty = name.allSatisfy(\.isWhitespace)
            // An unchanged full name keeps its parts.
            guard name != visitor.account.name?.text, !isEmpty || visitor.account.name != nil else {
                return .seeOther(WebPath.account)
            }
            do {
                _ = try await server.accounts.changeProfile(
                    ProfileChange(name: .whole(isEmpty ? nil : name)),
                    requestedBy: visitor.session
                )
            } catch let error as AccountsError where error.status == .unprocessableContent {
                return try await server.refused(nil, error, form, visitor, request)
            }
            return .seeOther("\(WebPath.account)?saved")
        }
    }

    private func endSession(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await server.changing(request) { visitor in
            let id = try SessionRoutes.sessionID(context)
            try await server.accounts.endSession(
                id,
                requestedBy: visitor.session,
                client: server.client(of: request, context)
            )
            return .seeOther(WebPath.account)
        }
    }

    private func endOtherSessions(_ request: Request, _ context: ServerContext) async throws
        -> Response
    {
        try await server.changing(request) { visitor in
            _ = try await server.accounts.endOtherSessions(
                than: visitor.session,
                client: server.client(of: request, context)
            )
            return .seeOther(WebPath.account)
        }
    }

    private func deletionPage(_ request: Request) async throws -> Response {
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return server.signInFirst(request)
        }
        let page = DeletionPage(
            proof: FreshProof(
                account: visitor.account,
                offer: server.offer,
                returnPath: WebPath.deletion
            ),
            isRecent: server.isRecent(visitor.session)
        )
        return try server.pages.response(page, to: request)
    }

    private func delete(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await server.changing(request) { visitor in
            try await server.accounts.deleteAccount(
                visitor.session,
                of: visitor.account,
                client: server.client(of: request, context)
            )
            return server.leaving(.deleted, request)
        }
    }
}
