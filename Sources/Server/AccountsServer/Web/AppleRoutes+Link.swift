import Accounts
import HTTPTypes
import Hummingbird
import SignInWithApple

/// The link of an Apple Account to the account of a session.
extension AppleRoutes {
    func beforeExchangeOfLink(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws {
        let link = try await link(signIn, context)
        try await server.accounts.beforeExchange(link.check, linkingTo: link.session)
    }

    func onSignInToLink(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws -> SignInAnswer {
        let link = try await link(signIn, context)
        let account = try await server.accounts.linkApple(
            link.check,
            grant: signIn.grant,
            requestedBy: link.session
        )
        server.signIns.countSuccess(signIn.origin == .native ? .appleLink : .appleWeb)
        guard let path = signIn.returnPath else {
            return .response(.json(AccountRoutes.document(account)))
        }
        return .response(.redirect(to: path))
    }

    /// Sends the browser of a repeated callback to its page if its account already has the link.
    func onRepeatedLink(_ signIn: VerifiedSignIn) async throws -> SignInAnswer? {
        let identity = signIn.identity
        let person = ApplePerson(issuer: identity.issuer, user: identity.userID)
        guard let path = signIn.returnPath,
            try await caller(of: signIn).account.apple?.person == person
        else { return nil }
        return .response(.redirect(to: path))
    }

    /// Returns the session to link: the app's, or the one that started the sign-in in a browser.
    func caller(of signIn: VerifiedSignIn) async throws -> SignedInSession {
        // The body has been read, but the head is enough to authenticate the request.
        guard signIn.origin != .native else {
            return try await server.authenticator.session(of: Request(head: signIn.request))
        }
        guard let token = signIn.previousSessionToken else { throw ServerError.notSignedIn }
        return try await server.accounts.session(token: token)
    }

    /// Authenticates the caller before the token is verified, which costs more.
    struct RequireSession: RouterMiddleware {
        let routes: AppleRoutes

        @concurrent
        func handle(
            _ request: Request,
            context: ServerContext,
            next: @concurrent (Request, ServerContext) async throws -> Response
        ) async throws -> Response {
            do {
                _ = try await routes.server.authenticator.session(of: request)
            } catch {
                guard let refusal = RefusedSignIn(any: error) else { throw error }
                return try await routes.onRefusal(refusal, request, context)
            }
            return try await next(request, context)
        }
    }

    /// A checked sign-in, and the session whose account it is linked to.
    private struct Link: Sendable {
        let check: SignInCheck
        let session: Session
    }

    private func link(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws -> Link {
        try await signIn.memo.value {
            let session = try await caller(of: signIn).session
            return Link(check: try makeCheck(signIn, context), session: session)
        }
    }
}

extension VerifiedSignIn {
    /// Whether a browser links the Apple Account to the account of its session.
    var isToLink: Bool { purpose == AppleRoutes.Purpose.link.rawValue }
}
