import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird

/// The JSON routes for passwords and email addresses.
struct PasswordRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.post, "/api/accounts", as: Self.creation, create),
            Route(.post, "/api/sessions/password", as: Self.signIn, signIn),
            Route(.put, "/api/account/password", as: Self.change, change),
            Route(.delete, "/api/account/password", as: Self.removal, remove),
            Route(.post, "/api/password-resets", as: Self.resetRequest, askReset),
            Route(.post, "/api/password-resets/redeem", as: Self.reset, reset),
            Route(.put, "/api/account/email", as: Self.emailChange, changeEmail),
            Route(.post, "/api/email-verifications", as: Self.verificationRequest, verify),
            Route(.delete, "/api/email-verifications", as: Self.verificationCancellation, cancel),
            Route(.post, "/api/email-verifications/redeem", as: Self.verification, redeem),
        ]
    }

    private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
        let fields = try await server.fields(of: request, Self.creation)
        let registration = PasswordRegistration(
            username: try fields.text("username"),
            password: try fields.text("password"),
            name: try fields.optionalText("name"),
            email: try fields.optionalText("email"),
            client: server.client(of: request, context)
        )
        let receipt = try await server.createAccount(registration)
        return .json(SessionRoutes.document(receipt), status: .created)
    }

    private func signIn(_ request: Request, _ context: ServerContext) async throws -> Response {
        let fields = try await server.fields(of: request, Self.signIn)
        let receipt = try await server.signIn(
            try fields.text("username"),
            try fields.text("password"),
            request,
            context
        )
        return .json(SessionRoutes.document(receipt), status: .created)
    }

    private func change(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        let fields = try await server.fields(of: request, Self.change)
        let account = try await server.accounts.changePassword(
            username: try fields.optionalText("username"),
            from: try fields.optionalText("currentPassword"),
            to: try fields.text("newPassword"),
            requestedBy: caller.session,
            client: server.client(of: request, context)
        )
        return .json(AccountRoutes.document(account))
    }

    private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        let account = try await server.accounts.removePassword(
            requestedBy: caller.session,
            client: server.client(of: request, context)
        )
        return .json(AccountRoutes.document(account))
    }

    /// Responds in the same way whether the account exists or not.
    private func askReset(_ request: Request, _ context: ServerContext) async throws -> Response {
        let fields = try await server.fields(of: request, Self.resetRequest)
        try await server.accounts.requestPasswordReset(
            for: try fields.text("username"),
            client: server.client(of: request, context)
        )
        return Response(status: .accepted)
    }

    private func reset(_ request: Request, _ context: ServerContext) async throws -> Response {
        let fields = try await server.fields(of: request, Self.reset)
        try await server.accounts.resetPassword(
            token: try fields.text("token"),
            to: try fields.text("newPassword"),
            client: server.client(of: request, context)
        )
        return Response(status: .noContent)
    }

    private func changeEmail(_ request: Request, _ context: ServerContext) async throws -> Response
    {
        let caller = try await server.authenticator.session(of: request)
        let fields = try await server.fields(of: request, Self.emailChange)
        let account = try await server.accounts.changeEmail(
            to: try fields.text("email"),
            of: caller.account,
            requestedBy: caller.session,
            client: server.client(of: request, context)
        )
        return .json(AccountRoutes.document(account))
    }

    private func verify(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        try await server.accounts.requestVerification(
            of: caller.account,
            requestedBy: caller.session,
            client: server.client(of: request, context)
        )
        return Response(status: .accepted)
    }

    private func cancel(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        try await server.accounts.cancelEmailChange(
            requestedBy: caller.session,
            client: server.client(of: request, context)
        )
        return Response(status: .noContent)
    }

    private func redeem(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        let fields = try await server.fields(of: request, Self.verification)
        let account = try await server.accounts.verifyEmail(
            token: try fields.text("token"),
            requestedBy: caller.session,
            client: server.client(of: request, context)
        )
        return .json(AccountRoutes.document(account))
    }
}
