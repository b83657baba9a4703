import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithAppleHummingbird

/// The account's pages and the forms on them.
struct AccountPageRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, WebPath.account) { request, _ in try await accountPage(request) },
            Route(.post, WebPath.name) { request, _ in try await rename(request) },
            Route(.post, WebPath.endSession) { try await endSession($0, $1) },
            Route(.post, WebPath.endOtherSessions) { request, _ in
                try await endOtherSessions(request)
            },
            Route(.get, WebPath.deletion) { request, _ in try await deletionPage(request) },
            Route(.post, WebPath.deletion) { request, _ in try await delete(request) },
        ]
    }

    private func accountPage(_ request: Request) async throws -> Response {
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return .signInFirst
        }
        let page = AccountPage(
            visitor: visitor,
            sessions: try await server.accounts.sessions(of: visitor.session),
            isSaved: request.uri.queryParameters["saved"] != nil,
            now: server.time.now
        )
        return try server.pages.response(page, to: request)
    }

    private func rename(_ request: Request) async throws -> Response {
        try await changing(request) { visitor in
            // Without the field, or with two, nobody can tell what the person wants.
            let names =
                try await request
                .form(maximumByteCount: ServerLimits.maximumFormByteCount, time: server.time)
                .filter { $0.name == "name" }
            guard names.count == 1, let name = names.first?.value else {
                throw ServerError.fieldNotOnce("name")
            }
            do {
                let isEmpty = name.allSatisfy(\.isWhitespace)
                _ = try await server.accounts.rename(
                    to: isEmpty ? nil : name,
                    askedBy: visitor.session
                )
            } catch let error as AccountsError where error.status == .unprocessableContent {
                return try await nameRefused(error, name, visitor, request)
            }
            return .seeOther("\(WebPath.account)?saved")
        }
    }

    /// The account page again, with what the person typed and what is wrong with it.
    private func nameRefused(
        _ error: AccountsError,
        _ name: String,
        _ visitor: SignedInSession,
        _ request: Request
    ) async throws -> Response {
        let page = AccountPage(
            visitor: visitor,
            sessions: try await server.accounts.sessions(of: visitor.session),
            refusedName: (name, ServerError(error)),
            now: server.time.now
        )
        return try server.pages.response(page, to: request)
    }

    private func endSession(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await changing(request) { visitor in
            let id = try SessionRoutes.sessionID(context)
            try await server.accounts.endSession(id, askedBy: visitor.session)
            return .seeOther(WebPath.account)
        }
    }

    private func endOtherSessions(_ request: Request) async throws -> Response {
        try await changing(request) { visitor in
            _ = try await server.accounts.endOtherSessions(than: visitor.session)
            return .seeOther(WebPath.account)
        }
    }

    private func deletionPage(_ request: Request) async throws -> Response {
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return .signInFirst
        }
        let age = server.time.now.timeIntervalSince(visitor.session.signedInAt)
        let isRecent = age <= server.accounts.configuration.recentSignInLimit
        let page = DeletionPage(account: visitor.account, isRecent: isRecent)
        return try server.pages.response(page, to: request)
    }

    private func delete(_ request: Request) async throws -> Response {
        try await changing(request) { visitor in
            try await server.accounts.deleteAccount(
                visitor.session,
                of: visitor.account,
                client: ClientDescription(request)
            )
            return .leaving(.deleted)
        }
    }

    private func changing(
        _ request: Request,
        _ change: (SignedInSession) async throws -> Response
    ) async throws -> Response {
        try server.authenticator.checkOwnPage(request)
        guard let visitor = try await server.authenticator.visitor(of: request) else {
            return .signInFirst
        }
        return try await change(visitor)
    }
}
